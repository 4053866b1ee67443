//! Parts of the text that `powar sim` prints of an outcome.

use powar_evaluation::network::{LatencySummary, Outcome};

/// Mean, quantiles and the longest of each latency.
pub fn latencies(outcome: &Outcome) -> String {
    let columns = ["mean", "p50", "p90", "p95", "p99", "p99.9", "max"];
    let mut text = line("latency, cycles", columns.map(str::to_owned));
    for (what, latency) in [
        ("packet", &outcome.packet_latency),
        ("  in the network", &outcome.network_latency),
        ("message", &outcome.message_latency),
    ] {
        text += &line(what, cells(latency));
    }
    text
}

/// 79 columns.
fn line(what: &str, cells: [String; 7]) -> String {
    let cells = cells.map(|cell| format!("{cell:>9}")).concat();
    format!("{what:<16}{cells}\n")
}

fn cells(latency: &LatencySummary) -> [String; 7] {
    let LatencySummary { count, mean, p50, p90, p95, p99, p999, max } = *latency;
    if count == 0 {
        return std::array::from_fn(|_| "-".to_owned());
    }
    let quantiles = [Some(p50), p90, p95, Some(p99), p999, Some(max)];
    let [p50, p90, p95, p99, p999, max] =
        quantiles.map(|cycles| cycles.map_or("-".into(), |cycles| cycles.to_string()));
    [format!("{mean:.1}"), p50, p90, p95, p99, p999, max]
}

/// Power and energy in the units that electricity is paid in.
pub fn energy(outcome: &Outcome) -> String {
    let watts = &outcome.watts;
    let nodes = watts.e_cluster.map(|all| all - watts.e_net);
    let mut text = format!("\n{:<16} {:>14}", "", "network");
    if watts.w_nodes.is_some() {
        text += &format!(" {:>14} {:>14}", "nodes", "cluster");
    }
    text += "\n";
    for (what, unit, values) in [
        ("mean power", "W", [Some(watts.w_net), watts.w_nodes, watts.w_cluster]),
        ("energy", "J", [Some(watts.e_net), nodes, watts.e_cluster]),
        ("energy a bit", "J", [outcome.j_per_bit, None, None]),
    ] {
        let cells: String = values.iter().flatten().map(|value| format!(" {:>14}", with_unit(*value, unit))).collect();
        if !cells.is_empty() {
            text += &format!("{what:<16}{cells}\n");
        }
    }
    text + "\nWatts of ports, switches and nodes by Andújar et al. 2023, section 2; bits are\n\
            those of payload that came in.\n"
}

/// Words in as many lines as they take, with what they are at the beginning.
pub fn wrapped(what: &str, words: &str) -> String {
    let mut text = format!("{what:<16}");
    let mut width = text.chars().count();
    for word in words.split(' ') {
        if width > 16 && width + 1 + word.chars().count() > 80 {
            text += &format!("\n{:16}", "");
            width = 16;
        }
        text += &format!(" {word}");
        width += 1 + word.chars().count();
    }
    text + "\n"
}

/// Four digits and a unit that makes them readable: 19.76 mJ.
fn with_unit(value: f64, unit: &str) -> String {
    let prefixes = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"), (1e-12, "p")];
    let fits = |(scale, _): &(f64, &str)| value >= *scale;
    let (scale, prefix) =
        prefixes.into_iter().find(fits).unwrap_or(if value == 0.0 { (1.0, "") } else { (1e-15, "f") });
    let scaled = value / scale;
    let digits = if scaled == 0.0 { 0 } else { (3 - scaled.log10().floor() as i32).clamp(0, 3) as usize };
    format!("{scaled:.digits$} {prefix}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_that_make_numbers_readable() {
        for (value, text) in [
            (0.0, "0 J"),
            (1.0, "1.000 J"),
            (12.345e-3, "12.35 mJ"),
            (123.45e-6, "123.5 uJ"),
            (999.4, "999.4 J"),
            (1234.5e3, "1.234 MJ"),
            (7.5e-13, "750.0 fJ"),
        ] {
            assert_eq!(with_unit(value, "J"), text);
        }
    }

    #[test]
    fn long_lines_are_wrapped() {
        assert_eq!(wrapped("program", "as recorded"), "program          as recorded\n");
        let long = wrapped("powar", &"t_sleep=2.88us ".repeat(9));
        assert_eq!(long.lines().count(), 3);
        assert!(long.lines().all(|line| line.chars().count() <= 80 && line[..17].trim().len() <= 5), "{long}");
    }

    #[test]
    fn tables_fit_a_terminal() {
        let mut outcome = Outcome::default();
        let latency = LatencySummary { count: 9, mean: 12_345_678.9, p50: 99_999_999, ..LatencySummary::default() };
        (outcome.packet_latency, outcome.j_per_bit) = (latency, Some(1.0));
        (outcome.watts.w_nodes, outcome.watts.w_cluster, outcome.watts.e_cluster) = (Some(1.0), Some(2.0), Some(3.0));
        let text = latencies(&outcome) + &energy(&outcome);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        // Of no message there is no latency, and what was not kept is not made up.
        assert!(text.contains("message                 -        -        -"), "{text}");
        assert!(text.contains("packet          12345678.9 99999999        -"), "{text}");
    }
}
