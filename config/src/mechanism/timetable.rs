//! Timetable: every port sleeps by a fixed timetable, whatever the load. The smallest complete mechanism, to be copied.

use super::control_values::control_values;
use super::parameter_table::{ParameterTable, parameters, parse};
use super::{Draw, Mechanism, NodeHint, PolicyEntry, Residency, Routes, Rules, Sees};
use crate::config::MAX_COUNT;
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "timetable",
    source: "none: the smallest example of a mechanism, and a baseline",
    sees: Sees { place: false, wanted: false, buffers: false, neighbours: false, ring: None, routes: Routes::None },
    residency: &[
        Residency::of(Phase::On, Draw::FULL, "on_cycles", "Cycles on"),
        Residency::of(Phase::Draining, Draw::FULL, "draining_cycles", "Cycles closed to new packets, not yet asleep"),
        Residency::of(Phase::Off, Draw::SleepFraction, "off_cycles", "Cycles asleep: the ones that save power"),
    ],
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &TimetableValues::WORDS,
    policies: &[
        PolicyEntry {
            name: "reference",
            title: "Reference",
            doc: "no power saving: every port is on",
            ignores: &["on_time", "off_time"],
        },
        PolicyEntry {
            name: "timetable",
            title: "Timetable",
            doc: "every port sleeps by a fixed timetable, whatever the load",
            ignores: &[],
        },
    ],
    options: &TimetableParameters::OPTIONS,
    parse: parse::<TimetableParameters>,
};

parameters! {
    /// The timetable's parameters.
    pub struct TimetableParameters of MECHANISM, policy "timetable" {
        on_time: Time = 10e3, in 1..=MAX_COUNT, "How long ports are open, such as 10us";
        off_time: Time = 10e3, in 1..=MAX_COUNT, "How long they are closed after that";
    }
}

control_values! {
    /// What the control registers of the timetable hold.
    pub struct TimetableValues of TimetableParameters, policy 1 bit {
        on_time: u32 = Duration, 24, "Cycles for which ports are open";
        off_time: u32 = Duration, 24, "Cycles for which they are closed";
    }
}

impl Rules for TimetableParameters {
    fn saves_when(&self) -> Option<String> {
        self.heeds("on_time").then(|| format!("ports close after on_time = {}", self.on_time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Chosen;
    use crate::units::Nanoseconds;
    use crate::{Config, presets};

    fn with(parameters: TimetableParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    #[test]
    fn resets_are_policy_and_cycles() {
        let config = with(TimetableParameters { off_time: Nanoseconds(16.0), ..TimetableParameters::default() });
        config.check().expect("in range");
        assert_eq!(config.mechanism.0.resets(config.cycle_ns), [1, 6250, 10]);
    }

    #[test]
    fn times_out_of_range_are_named() {
        for (time, cycles) in [(0.0, 0), (30e6, 18_750_000)] {
            let time = Nanoseconds(time);
            for (field, parameters) in [
                ("on_time", TimetableParameters { on_time: time, ..TimetableParameters::default() }),
                ("off_time", TimetableParameters { off_time: time, ..TimetableParameters::default() }),
            ] {
                let error = format!("{:#}", with(parameters).check().expect_err("out of range"));
                let expected = format!("{field}: {time} is {cycles} cycles, out of range 1..={MAX_COUNT}");
                assert!(error.ends_with(&expected), "{error}");
            }
        }
    }
}
