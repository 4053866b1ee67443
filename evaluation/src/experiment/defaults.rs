//! What an experiment shows that does not say what to show: columns and a figure that fit its traffic.

use super::file::{Figure, FigureKind, File, Panel, ScaleKind};
use super::sweep::Sweep;
use crate::network::Traffic;

/// An axis whose numbers are so many times apart is logarithmic.
const WIDE: f64 = 20.0;

/// What simulations are of.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds {
    /// Traffic for a given time.
    synthetic: bool,
    /// Programs and jobs, which end by themselves and whose nodes compute.
    programs: bool,
    baseline: bool,
}

/// Adds columns if the file asks for none and has no figures, and a figure if it has none.
pub fn complete<'a>(file: &mut File, traffic: impl Iterator<Item = &'a Traffic>) {
    let mut kinds = Kinds { baseline: file.baseline.is_some(), ..Kinds::default() };
    for traffic in traffic {
        match traffic {
            Traffic::Synthetic(_) => kinds.synthetic = true,
            Traffic::Trace(_) | Traffic::Jobs(_) => kinds.programs = true,
        }
    }
    if !file.figures.is_empty() {
        return;
    }
    if file.columns.is_empty() {
        file.columns = columns(kinds).into_iter().map(str::to_owned).collect();
    }
    let figure = figure(file, kinds);
    file.figures = figure.into_iter().filter(|figure| file.check_figure(figure).is_ok()).collect();
}

/// Columns, those that matter most first.
fn columns(kinds: Kinds) -> Vec<&'static str> {
    let Kinds { synthetic, programs, baseline } = kinds;
    let all = [
        (programs, "run_time_ns"),
        (programs && baseline, "relative.run_time"),
        (synthetic, "accepted"),
        (true, "packet_latency.p50"),
        (true, "packet_latency.p99"),
        (synthetic && baseline, "relative.latency"),
        (true, "u_port"),
        (true, "wake_ups"),
        (true, "watts.e_net"),
        (baseline, "relative.watts.e_net"),
        (programs, "watts.e_cluster"),
        (programs && baseline, "relative.watts.e_cluster"),
    ];
    all.into_iter().filter_map(|(is_for, column)| is_for.then_some(column)).collect()
}

/// Over the first sweep of numbers a line for each value of the others; without one bars. None without a sweep.
fn figure(file: &File, kinds: Kinds) -> Option<Figure> {
    let sweeps = &file.sweeps;
    let numbers = |sweep: &Sweep| -> Option<Vec<f64>> {
        let numbers: Option<Vec<f64>> = (0..sweep.values.len()).map(|place| sweep.label(place).parse().ok()).collect();
        numbers.filter(|numbers| numbers.len() > 1)
    };
    let name = |sweep: &Sweep| sweep.name.clone();
    let along = sweeps.iter().position(|sweep| numbers(sweep).is_some());
    let mut figure = Figure {
        name: "overview".into(),
        title: file.title.clone(),
        kind: FigureKind::Lines,
        groups: vec![],
        bars: None,
        x: None,
        x_label: None,
        x_factor: None,
        x_max: None,
        series: vec![],
        x_scale: None,
        panels: panels(kinds),
        published: vec![],
    };
    match (along, &sweeps[..]) {
        (None, []) => return None,
        // Bars side by side are for what has no order.
        (None, [outer @ .., inner]) if (1..=2).contains(&outer.len()) => {
            figure.kind = FigureKind::Bars;
            (figure.groups, figure.bars) = (outer.iter().map(name).collect(), Some(name(inner)));
            figure.panels.iter_mut().for_each(|panel| panel.scale = None);
        }
        (along, sweeps) => {
            let along = along.unwrap_or(0);
            let mut others = (0..sweeps.len()).filter(|place| *place != along).map(|place| name(&sweeps[place]));
            figure.x = Some(name(&sweeps[along]));
            figure.series.extend(others.next());
            figure.groups.extend(others.next());
            figure.series.extend(others);
            figure.x_scale = numbers(&sweeps[along]).filter(|numbers| is_wide(numbers)).map(|_| ScaleKind::Log);
        }
    }
    Some(figure)
}

fn is_wide(numbers: &[f64]) -> bool {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(0.0, f64::max);
    least > 0.0 && most / least >= WIDE
}

/// Time or throughput, latency, energy.
fn panels(kinds: Kinds) -> Vec<Panel> {
    let Kinds { synthetic, programs, baseline } = kinds;
    let panel = |y: &str, label: &str| Panel {
        y: y.into(),
        label: label.into(),
        percent: false,
        factor: None,
        min: None,
        max: None,
        scale: None,
    };
    let percent = |panel: Panel| Panel { percent: true, ..panel };
    let time = Panel { factor: Some(1e-6), ..panel("run_time_ns", "run time, ms") };
    let latency = Panel { scale: Some(ScaleKind::Log), ..panel("packet_latency.p99", "packet latency, p99, cycles") };
    let all = [
        (programs && baseline, percent(panel("relative.run_time", "run time, % of baseline"))),
        (programs && !baseline, time),
        (synthetic, panel("accepted", "accepted, flits/node/cycle")),
        (true, latency),
        (baseline, percent(panel("relative.watts.e_net", "network energy, % of baseline"))),
        (!baseline, panel("watts.e_net", "network energy, J")),
    ];
    all.into_iter().filter_map(|(is_for, panel)| is_for.then_some(panel)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_traffic::synthetic::SyntheticOptions;

    fn completed(sweeps: &str) -> File {
        let mut file = File::parse(&format!("title = 'x'\n{sweeps}")).unwrap();
        complete(&mut file, [Traffic::Synthetic(SyntheticOptions::default())].iter());
        file
    }

    fn sweep(name: &str, values: &str) -> String {
        format!("[[sweep]]\nname = '{name}'\nvalues = [{values}]\n")
    }

    #[test]
    fn a_figure_fits_its_sweeps() {
        assert!(completed("").figures.is_empty());
        let (load, policy, more) =
            (sweep("load", "0.01, 0.5"), sweep("policy", "'a', 'b'"), sweep("routing", "'c', 'd'"));
        let figure = |sweeps: &str| completed(sweeps).figures.pop().unwrap();
        let lines = figure(&(policy.clone() + &load + &more));
        assert_eq!((lines.kind, lines.x_scale), (FigureKind::Lines, Some(ScaleKind::Log)));
        assert_eq!(
            (lines.x.unwrap(), lines.series, lines.groups),
            ("load".into(), vec!["policy".into()], vec!["routing".into()])
        );
        let bars = figure(&(policy.clone() + &more));
        assert_eq!(
            (bars.kind, bars.groups, bars.bars),
            (FigureKind::Bars, vec!["policy".into()], Some("routing".into()))
        );
        assert_eq!(figure(&policy).x.unwrap(), "policy");
        assert_eq!(figure(&sweep("load", "0.1, 0.5")).x_scale, None);
    }

    #[test]
    fn columns_fit_the_traffic() {
        let file = completed(&sweep("load", "0.1, 0.5"));
        assert!(file.columns.contains(&"accepted".into()) && !file.columns.contains(&"run_time_ns".into()));
        let programs = columns(Kinds { programs: true, baseline: true, synthetic: false });
        assert!(programs.contains(&"relative.run_time") && programs.contains(&"watts.e_cluster"));
        let asked = completed(&format!("columns = ['flits']\n{}", sweep("load", "0.1, 0.5")));
        assert_eq!((asked.columns, asked.figures.len()), (vec!["flits".to_owned()], 1));
    }
}
