//! What the columns of results are: units and meanings, and the page `docs/columns.md` of them.

use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Columns of what repeats a row, behind those of its outcome.
pub const SEED: &str = "seed";
pub const COMMAND: &str = "command";

/// What the names of columns have in place of a number that differs from experiment to experiment.
const NUMBER: &str = "T";

/// Columns about one thing.
struct Section {
    title: &'static str,
    about: &'static str,
    columns: Vec<Column>,
}

/// A column of the results.
struct Column {
    name: String,
    /// Empty if it has none: a share, a count, a text.
    unit: &'static str,
    meaning: String,
}

fn column(name: impl Into<String>, unit: &'static str, meaning: impl Into<String>) -> Column {
    Column { name: name.into(), unit, meaning: meaning.into() }
}

/// Columns of these names, units and meanings.
fn columns(all: &[(&str, &'static str, &str)]) -> Vec<Column> {
    all.iter().map(|&(name, unit, meaning)| column(name, unit, meaning)).collect()
}

/// All columns, in the order of the results but for those about one thing, which stand together.
fn sections() -> Vec<Section> {
    vec![row(), traffic(), latency(), ports(), energy(), relative(), replay(), idle()]
}

fn row() -> Section {
    Section {
        title: "What a row is of",
        about: "The sweeps of the experiment come first, under their own names.",
        columns: columns(&[
            ("topology", "", "the network's name, or its file"),
            ("policy", "", "the power policy, or `ideal`"),
            ("mechanism", "", "the power mechanism that the policy is of"),
            ("parameters", "", "its parameters, those that make a difference with the policy"),
            ("nodes", "", "nodes of the network"),
            ("switches", "", "its switches"),
            ("ports", "", "ports of all switches that have a cable"),
            (SEED, "", "seed of the traffic or of the jobs' scheduler; of several runs each, with spaces between"),
            (
                COMMAND,
                "",
                "what repeats the row, from the folder that the experiment was run in; `&&` between several runs",
            ),
        ]),
    }
}

fn traffic() -> Section {
    Section {
        title: "Time and traffic",
        about: "Of the measured cycles: of synthetic traffic those behind the warm-up, of programs and jobs all. The counts of messages, packets, \
                flits and hops alone are of the whole simulation.",
        columns: columns(&[
            (
                "cycles",
                "cycles",
                "run time: until a program or the last job has ended; of synthetic traffic the cycles measured",
            ),
            ("warm_up", "cycles", "cycles with traffic before those measured"),
            ("run_time_ns", "ns", "`cycles` as a time"),
            ("messages", "", "messages of the whole simulation"),
            ("packets", "", "packets of the whole simulation"),
            ("flits", "", "flits of the whole simulation"),
            ("flit_hops", "", "flits times the switches that they crossed"),
            ("offered", "flits/node/cycle", "flits that nodes gave"),
            ("accepted", "flits/node/cycle", "flits that came in"),
            ("saturated", "", "`true`: nodes give more than the network takes, and latencies grow with the run"),
            ("oldest", "cycles", "age of the oldest message under way at the end; 0 if there was none"),
            ("unfinished", "", "messages that had not come in when the simulation gave up"),
            (
                "payload_bits",
                "bits",
                "payload that came in; of programs what their messages carry, without what fills packets",
            ),
        ]),
    }
}

fn latency() -> Section {
    let kinds = [
        (
            "packet_latency",
            "of packets, from the cycle in which the message is given to the last flit at the destination",
        ),
        ("network_latency", "the same from the packet's first flit on its node's link"),
        ("message_latency", "of whole messages"),
    ];
    let figures = [
        ("count", "", "how many"),
        ("mean", "cycles", "mean"),
        ("p50", "cycles", "median"),
        ("p90", "cycles", "what 90 % do not exceed"),
        ("p95", "cycles", "what 95 % do not exceed"),
        ("p99", "cycles", "what 99 % do not exceed"),
        ("p999", "cycles", "what 99.9 % do not exceed"),
        ("max", "cycles", "the longest"),
    ];
    let of = |(kind, about): (&str, &str)| {
        let about = about.to_owned();
        let kind = kind.to_owned();
        figures.map(|(figure, unit, what)| column(format!("{kind}.{figure}"), unit, format!("{what} {about}")))
    };
    Section {
        title: "Latency",
        about: "Within 0.1 % but for means and counts. A cycle is `run_time_ns / cycles` long, 1.6 ns by default.",
        columns: kinds.into_iter().flat_map(of).collect(),
    }
}

fn ports() -> Section {
    Section {
        title: "Ports and links",
        about: "",
        columns: columns(&[
            (
                "u_port",
                "",
                "share of the time in which ports were awake, mean over all (POWAR, section 2.3), whatever a sleeping \
                 port draws; of ports with several rates where their mean power lies between that of a sleeping port \
                 (`power.sleeping_port`), 0, and full power, 1",
            ),
            ("sending", "", "share of the cycles in which ports sent a flit, mean over all"),
            ("wake_ups", "", "times that a port began to wake"),
            (
                "events",
                "",
                "what the mechanism has counted in words of its own, by their names, all switches together; `node_hints_dropped`: hints that found no room on the lanes of their own nodes",
            ),
            (
                "links_power",
                "",
                "power of all links over that of links that are always on (Alonso et al. 2015); one that is off draws \
                 nothing, whatever `power.sleeping_port` says",
            ),
            ("channels_power", "", "the same of the links between switches alone (Soteriou and Peh 2004)"),
            ("link_utilisation.mean", "flits/cycle", "what a link between switches carries, mean over all"),
            (
                "link_utilisation.highest",
                "flits/cycle",
                "the same of the kind of link that carries most: a stage's up-links, a direction of a torus",
            ),
            ("u_cpu", "", "share of the time in which nodes compute, mean over all; of programs and jobs"),
        ]),
    }
}

fn energy() -> Section {
    let shares = [
        ("power", "by equation 1: a sleeping port draws a tenth of its power"),
        ("worked", "by the worked example: a sleeping port draws nothing"),
    ];
    let mut all = columns(&[
        ("watts.w_net", "W", "mean power of the network: ports and switches (Andújar et al. 2023)"),
        ("watts.w_nodes", "W", "mean power of the nodes; of programs and jobs"),
        ("watts.w_cluster", "W", "of both"),
        ("watts.e_net", "J", "energy of the network: `watts.w_net` times the run time"),
        ("watts.e_cluster", "J", "energy of network and nodes"),
        ("j_per_bit", "J", "energy of the network for each bit of payload that came in"),
    ]);
    for (model, about) in shares {
        all.push(column(format!("{model}.w_net"), "", format!("mean power of the network over the largest, {about}")));
        all.push(column(format!("{model}.e_net"), "ns", format!("that times the run time, {about}")));
        // The nodes sleep in neither.
        if model == shares[0].0 {
            all.push(column("power.w_nodes", "", "mean power of the nodes over the largest"));
        }
        all.push(column(
            format!("{model}.w_cluster"),
            "",
            format!("mean power of network and nodes over the largest, {about}"),
        ));
        all.push(column(format!("{model}.e_cluster"), "ns", format!("that times the run time, {about}")));
    }
    Section {
        title: "Power and energy",
        about: "In watts and joules by the model of Andújar et al. 2023, and as shares of the largest power by POWAR's model (section 2.3), where \
                an energy is such a share times the run time.",
        columns: all,
    }
}

fn relative() -> Section {
    Section {
        title: "Relative to the baseline",
        about: "Of experiments with a `[baseline]`: the row's figure over that of its baseline, 1 if they are the same.",
        columns: columns(&[
            ("relative.run_time", "", "run time"),
            ("relative.e_net", "", "energy of the network, by equation 1"),
            ("relative.e_cluster", "", "energy of network and nodes, by equation 1"),
            ("relative.worked.e_net", "", "energy of the network, by the worked example"),
            ("relative.worked.e_cluster", "", "energy of network and nodes, by the worked example"),
            ("relative.watts.e_net", "", "energy of the network in joules"),
            ("relative.watts.e_cluster", "", "energy of network and nodes in joules"),
            ("relative.latency", "", "mean packet latency"),
            ("relative.latency_power", "", "mean packet latency times `links_power`"),
            ("relative.network_latency", "", "mean network latency"),
            ("relative.e_links", "", "energy of links and switches (Alonso et al. 2015)"),
        ]),
    }
}

fn replay() -> Section {
    Section {
        title: "How a program was replayed",
        about: "Of programs: [what each option does](programs.md).",
        columns: columns(&[
            ("replay.gap_scale", "", "factor on every compute gap"),
            ("replay.gap_floor", "", "time subtracted from every recorded gap, with its unit"),
            ("replay.flop_factor", "", "factor on long gaps"),
            ("replay.flop_limit", "", "from which gap on that is, with its unit"),
            ("replay.polls", "", "what a receive does that the program polled for"),
            ("replay.collectives", "", "algorithms of collectives"),
            ("replay.reduce_byte", "ns", "time of a reduction for each byte"),
            ("replay.o_send", "", "processor time of a send, with its unit"),
            ("replay.o_recv", "", "processor time of a receive, with its unit"),
            ("replay.o_byte", "ns", "processor time of both for each byte"),
            ("replay.eager_limit", "bytes", "longest message that goes without asking; empty: all do"),
            ("replay.local", "", "time of a message between ranks of one node, with its unit"),
            ("replay.local_byte", "ns", "the same for each byte"),
            ("replay.lead", "", "how long before a message nodes tell of it at most, with its unit; 0: not at all"),
            ("replay.foresight", "", "how many waits ahead ranks that begin to wait have their nodes tell of messages"),
        ]),
    }
}

fn idle() -> Section {
    Section {
        title: "Idle links",
        about: "With `oracle` in `[simulation]`: [idle gaps and the oracle](networks.md#idle-gaps-and-the-oracle). T stands for a number of cycles.",
        columns: columns(&[
            ("idle.links", "", "links between switches, both directions of every cable"),
            ("idle.busy", "", "share of their time in which they carry a flit"),
            ("idle.gaps", "", "whole gaps: with a flit before and behind them"),
            ("idle.mean", "cycles", "mean length of a whole gap"),
            ("idle.longest", "cycles", "the longest whole gap"),
            ("idle.edge_gaps", "", "gaps at the edges of the measured cycles"),
            ("idle.edge_share", "", "their share of the links' time"),
            (
                "idle.oracle.T",
                "",
                "share of the time that an oracle has links off whose transitions take T cycles each",
            ),
            ("idle.lengths.T", "", "whole gaps of T to 2 T - 1 cycles"),
            ("idle.shares.T", "", "their share of the links' time"),
        ]),
    }
}

/// The columns of `series.csv`.
fn intervals() -> Section {
    Section {
        title: "Intervals",
        about: "`series.csv` of simulations with an `interval` has the sweeps and these.",
        columns: columns(&[
            ("cycle", "cycles", "the first cycle behind the interval"),
            ("offered", "flits/node/cycle", "flits that nodes gave in it"),
            ("accepted", "flits/node/cycle", "flits that came in in it"),
            ("latency", "cycles", "mean of the messages that came in in it"),
            ("links_power", "", "as of the whole run"),
            ("channels_power", "", "as of the whole run"),
            ("u_port", "", "as of the whole run"),
            (
                "buffer_utilisation",
                "",
                "share of the time in which packets wait for a link, of mechanisms that measure it",
            ),
            ("bit_rate", "Gb/s", "of links between switches while they can send, of mechanisms with several rates"),
        ]),
    }
}

/// The unit of a column; none of one that has none, and of sweeps.
pub fn unit(name: &str) -> Option<&'static str> {
    let of = ["ci95", "sd"].iter().find_map(|spread| name.strip_suffix(spread)?.strip_suffix('.')).unwrap_or(name);
    let any = any_number(of);
    let found = sections().into_iter().flat_map(|section| section.columns).find(|column| column.name == any);
    found.map(|column| column.unit).filter(|unit| !unit.is_empty())
}

/// A name as it stands in the lists: what ends in a number is one of a family.
fn any_number(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((family, number)) if number.parse::<u64>().is_ok() => format!("{family}.{NUMBER}"),
        _ => name.to_owned(),
    }
}

const HEAD: &str = "# Columns of results

Generated from `evaluation/src/experiment/meaning.rs`; do not edit. After a change write it anew with
`POWAR_WRITE=1 cargo test -p powar-evaluation --test all the_page_of_columns`.

`results.csv` and `results.json` of an [experiment](../experiments/README.md) have these columns, but for those that are empty in all rows. A
figure's `y` and the list `columns = [..]` of an experiment name them. With `[repeat]` a number is the mean of the runs, and
a column with `.ci95` or `.sd` behind its name says how far they are around it. `powar sim --json` has the same figures, nested.
";

/// The columns of `results.json` and what each is, with its unit; `T` in a name stands for a number.
pub(crate) fn described() -> Vec<(String, String)> {
    let of = |Column { name, unit, meaning }| match unit {
        "" => (name, meaning),
        unit => (name, format!("{meaning}; {unit}")),
    };
    sections().into_iter().flat_map(|section| section.columns).map(of).collect()
}

/// The page of all columns.
pub fn page() -> String {
    let mut text = String::from(HEAD);
    for section in sections().into_iter().chain([intervals()]) {
        write!(text, "\n## {}\n\n", section.title).expect("a String takes everything");
        if !section.about.is_empty() {
            text += &format!("{}\n\n", section.about);
        }
        text += "| column | unit | meaning |\n| --- | --- | --- |\n";
        for Column { name, unit, meaning } in section.columns {
            text += &format!("| `{name}` | {unit} | {meaning} |\n");
        }
    }
    text
}

/// The same as JSON, for programs that read results: an object of the columns of `results.csv` (`results`) and one of those of `series.csv`
/// (`series`), of each its unit (empty if it has none) and its meaning.
pub fn json() -> String {
    let object = |sections: Vec<Section>| {
        let columns = sections.into_iter().flat_map(|section| section.columns);
        let entry = |Column { name, unit, meaning }| (name, json!({ "unit": unit, "meaning": meaning }));
        columns.map(entry).collect::<Map<String, Value>>()
    };
    let all = json!({ "results": object(sections()), "series": object(vec![intervals()]) });
    format!("{all:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::File;
    use crate::experiment::cells::{interval_cells, names};
    use crate::network::Interval;
    use std::collections::BTreeSet;

    #[test]
    fn every_column_of_results_has_a_meaning_and_no_other() {
        let file = "title = 'x'\nsimulation.oracle = [1, 10]\nbaseline.policy = 'reference'";
        let names = names(&File::parse(file).unwrap()).unwrap();
        let own = [SEED, COMMAND].map(str::to_owned);
        let there: BTreeSet<String> = names.iter().map(|name| any_number(name)).chain(own).collect();
        let columns = || sections().into_iter().flat_map(|section| section.columns);
        let listed: BTreeSet<String> = columns().map(|column| column.name).collect();
        assert_eq!(there, listed);
        assert_eq!(listed.len(), columns().count(), "none is there twice");
        let intervals = |section: Section| section.columns.into_iter().map(|column| column.name).collect::<Vec<_>>();
        let cells = interval_cells(&Interval::default()).unwrap();
        assert_eq!(cells.into_iter().map(|(name, _)| name).collect::<Vec<_>>(), intervals(super::intervals()));
    }

    #[test]
    fn units_are_found_behind_spreads_and_numbers() {
        assert_eq!(unit("packet_latency.p99"), Some("cycles"));
        assert_eq!(unit("packet_latency.p99.ci95"), Some("cycles"));
        assert_eq!(unit("watts.e_net.sd"), Some("J"));
        assert_eq!((unit("idle.oracle.10"), unit("u_port"), unit("of nobody")), (None, None, None));
    }
}
