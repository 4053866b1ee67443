//! The text that `powar sim` prints of an outcome.

use super::grouped;
use crate::{jobs, layout, under_way};
use powar_evaluation::network::{IdleLinks, LatencySummary, LinkUtilisation, Outcome, Simulation, Traffic};
use powar_traffic::ReplayOptions;
use powar_traffic::synthetic::SyntheticOptions;

/// The outcome as text.
pub fn report(simulation: &Simulation, outcome: &Outcome) -> String {
    let Outcome { nodes, switches, ports, .. } = *outcome;
    let time = layout::time(outcome.run_time_ns);
    let mut text = format!(
        "{}: {nodes} nodes, {switches} switches, {ports} ports with a cable; policy {}\n\
         run time         {:>14} cycles, {time}\n\
         messages         {:>14}\n\
         packets          {:>14}\n\
         flit hops        {:>14}\n\
         offered          {:>14.4} flits per node and cycle\n\
         accepted         {:>14.4}\n",
        outcome.topology,
        outcome.policy,
        grouped(outcome.cycles),
        grouped(outcome.messages),
        grouped(outcome.packets),
        grouped(outcome.flit_hops),
        outcome.offered,
        outcome.accepted,
    );
    text += &settings(simulation);
    text += "\n";
    text += &latencies(outcome);
    text += &under_way::report(outcome);
    text += &format!(
        "\nports awake      {:>14.2} % of the time (U_port), sending {:.2} %\nwake-ups         {:>14}\n",
        100.0 * outcome.u_port,
        100.0 * outcome.sending,
        grouped(outcome.wake_ups)
    );
    for (name, &count) in &outcome.events {
        text += &format!("{name:<16} {:>14}\n", grouped(count));
    }
    if !outcome.parameters.is_empty() {
        text += &wrapped(&outcome.mechanism, &outcome.parameters);
    }
    if let Some(u_cpu) = outcome.u_cpu {
        text += &format!("nodes compute    {:>14.2} % of the time (U_cpu)\n", 100.0 * u_cpu);
    }
    if let Some(replay) = &outcome.replay {
        text += &wrapped("program", &changed(replay));
    }
    if let LinkUtilisation { mean: Some(mean), highest } = outcome.link_utilisation {
        let highest = highest.map_or(String::new(), |highest| {
            format!("{:<16} {highest:>14.4} up-links or direction that carry most\n", "")
        });
        text += &format!("links carry      {mean:>14.4} flits a cycle, between switches\n{highest}");
    }
    text += &outcome.idle.as_ref().map(idle_table).unwrap_or_default();
    text += &jobs::table(&outcome.jobs);
    text += &energy(outcome);
    text += &shares(outcome);
    text + &outcome.notes.iter().map(|note| layout::wrapped("note: ", note, layout::width())).collect::<String>()
}

/// What was simulated, beside what the outcome names: the network's and the traffic's settings.
fn settings(simulation: &Simulation) -> String {
    let Simulation { vcs, buffer_flits, packet_flits, hop, cycle_ns, warm_up, .. } = simulation;
    let routing =
        simulation.network().ok().and_then(|network| network.config.routing()).map_or("-", |routing| routing.name);
    let network = format!(
        "routing {routing}, {vcs} VCs, input buffers of {buffer_flits} flits, packets of {packet_flits} at most, hop {hop}, cycle {cycle_ns} ns"
    );
    let traffic = match &simulation.traffic {
        Traffic::Synthetic(options) => {
            let SyntheticOptions { pattern, arrivals, load, seed, .. } = options;
            format!("{pattern}, {arrivals}, load {load}, seed {seed}, warm-up of {} cycles", grouped(*warm_up))
        }
        Traffic::Trace(options) => options.name(),
        Traffic::Jobs(options) => format!("jobs of {}, seed {}", options.mix.display(), options.seed),
    };
    wrapped("network", &network) + &wrapped("traffic", &traffic)
}

/// Power and energy as shares, by POWAR's model.
fn shares(outcome: &Outcome) -> String {
    let Outcome { power, worked, .. } = outcome;
    let mut text =
        format!("\n{:<16} {:>14} {:>14} {:>14} {:>14}\n", "", "W_net", "E_net, us", "W_cluster", "E_cluster, us");
    for (what, w_net, e_net, w_cluster, e_cluster) in [
        ("equation 1", power.w_net, power.e_net, power.w_cluster, power.e_cluster),
        ("worked example", worked.w_net, worked.e_net, worked.w_cluster, worked.e_cluster),
    ] {
        let cluster = w_cluster.zip(e_cluster);
        let cluster = cluster.map(|(power, energy)| format!(" {power:>14.4} {:>14.1}", energy / 1e3));
        text += &format!("{what:<16} {w_net:>14.4} {:>14.1}{}\n", e_net / 1e3, cluster.unwrap_or_default());
    }
    text + "\nW: power as a share of the largest; E: such a share times the run time (POWAR,\n\
             section 2.3). By equation 1 a sleeping port draws a tenth of its power; the\n\
             paper's worked example (equation 9) counts it as nothing.\n"
}

/// Idle gaps of links by length, and what the oracle makes of them.
fn idle_table(idle: &IdleLinks) -> String {
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let mut text = format!(
        "\nlinks idle       {:>14} of the time of {} links between switches; gaps {} cycles in the mean, {} the longest\n",
        percent(1.0 - idle.busy),
        grouped(idle.links),
        idle.mean.map_or("-".into(), |mean| format!("{mean:.1}")),
        grouped(idle.longest),
    );
    text += &format!("{:<23} {:>14} {:>16}\n", "gaps of so many cycles", "gaps", "of the link time");
    let mut row = |what: &str, gaps: u64, share: f64| {
        text += &format!("{what:>23} {:>14} {:>16}\n", grouped(gaps), percent(share));
    };
    for (&length, &gaps) in idle.lengths.iter().filter(|(_, gaps)| **gaps > 0) {
        let what = if length == 1 { grouped(1) } else { format!("{}..{}", grouped(length), grouped(2 * length - 1)) };
        row(&what, gaps, idle.shares[&length]);
    }
    row("at the window's edges", idle.edge_gaps, idle.edge_share);
    text += &format!("{:<23} {:>14}\n", "t_trans, cycles", "oracle: off");
    for (&t_trans, &off) in &idle.oracle {
        text += &format!("{:>23} {:>14}\n", grouped(t_trans), percent(off));
    }
    text
}

/// How a program was replayed: the options that are not their default.
fn changed(replay: &ReplayOptions) -> String {
    let fields = |options: &ReplayOptions| match serde_json::to_value(options) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let default = fields(&ReplayOptions::default());
    let named = fields(replay).into_iter().filter(|(name, value)| default.get(name) != Some(value));
    let named: Vec<String> =
        named.map(|(name, value)| format!("{name} {}", value.to_string().trim_matches('"'))).collect();
    match named.is_empty() {
        true => "gaps as recorded; o_send, o_recv, o_byte, reduce_byte 0; eager_limit unlimited".into(),
        false => named.join(", ") + "; the rest as by default",
    }
}

/// Mean, quantiles and the longest of each latency, in cycles and as times.
fn latencies(outcome: &Outcome) -> String {
    let all = [
        ("packet", &outcome.packet_latency),
        ("  in the network", &outcome.network_latency),
        ("message", &outcome.message_latency),
    ];
    let columns = ["mean", "p50", "p90", "p95", "p99", "p99.9", "max"];
    let mut text = line("latency, cycles", columns.map(str::to_owned));
    text.extend(
        all.map(|(what, latency)| {
            line(what, cells(latency, |value| format!("{value:.1}"), |cycles| cycles.to_string()))
        }),
    );
    let cycle_ns = outcome.run_time_ns / outcome.cycles.max(1) as f64;
    let longest = all.iter().filter_map(|(_, latency)| latency.max).max().unwrap_or(0) as f64 * cycle_ns;
    let (unit, ns, digits) = match longest {
        ns if ns < 1e5 => ("ns", 1.0, 1),
        ns if ns < 1e7 => ("us", 1e3, 3),
        _ => ("ms", 1e6, 3),
    };
    let time = |cycles: f64| format!("{:.digits$}", cycles * cycle_ns / ns);
    text += &line(&format!("the same, {unit}"), columns.map(str::to_owned));
    text.extend(all.map(|(what, latency)| line(what, cells(latency, time, |cycles| time(cycles as f64)))));
    text
}

/// 79 columns.
fn line(what: &str, cells: [String; 7]) -> String {
    let cells = cells.map(|cell| format!("{cell:>9}")).concat();
    format!("{what:<16}{cells}\n")
}

fn cells(latency: &LatencySummary, mean_as: impl Fn(f64) -> String, as_text: impl Fn(u64) -> String) -> [String; 7] {
    let LatencySummary { count: _, mean, p50, p90, p95, p99, p999, max } = *latency;
    let quantiles = [p50, p90, p95, p99, p999, max];
    let [p50, p90, p95, p99, p999, max] = quantiles.map(|cycles| cycles.map_or("-".into(), &as_text));
    [mean.map_or("-".into(), mean_as), p50, p90, p95, p99, p999, max]
}

/// Power and energy in the units that electricity is paid in.
fn energy(outcome: &Outcome) -> String {
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
fn wrapped(what: &str, words: &str) -> String {
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
        let mut outcome = Outcome { cycles: 5, run_time_ns: 8.0, ..Outcome::default() };
        let latency = LatencySummary {
            count: 9,
            mean: Some(12_345_678.9),
            p50: Some(99_999_999),
            max: Some(99_999_999),
            ..LatencySummary::default()
        };
        (outcome.packet_latency, outcome.j_per_bit) = (latency, Some(1.0));
        (outcome.watts.w_nodes, outcome.watts.w_cluster, outcome.watts.e_cluster) = (Some(1.0), Some(2.0), Some(3.0));
        let text = latencies(&outcome) + &energy(&outcome) + &shares(&outcome) + &settings(&Simulation::default());
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        // Of no message there is no latency, and what was not kept is not made up.
        assert!(text.contains("message                 -        -        -"), "{text}");
        assert!(text.contains("packet          12345678.9 99999999        -"), "{text}");
        // 1.6 ns a cycle.
        assert!(text.contains("packet             19.753  160.000        -"), "{text}");
    }
}
