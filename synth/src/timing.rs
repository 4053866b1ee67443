//! Clock rates and critical paths, from nextpnr's report.

use crate::harness::{CAPTURE, INSTANCE, LAUNCH, RESULT};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The slowest path from register to register.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimingPath {
    /// The register it starts from.
    pub from: String,
    /// The register it ends in.
    pub to: String,
    /// Its length.
    pub total_ns: f64,
    /// What of it is spent in cells.
    pub logic_ns: f64,
    /// What of it is spent on wires between them.
    pub routing_ns: f64,
    /// Is it the harness's own? Then the module is faster than could be measured.
    pub in_harness: bool,
    /// Wires of the chip's routing on it: those inside of a slice and along carry chains are not counted, that to the register at the end is.
    pub hops: u64,
    /// Its parts in order; the neighbours of a carry chain are put together.
    pub steps: Vec<PathStep>,
}

/// One part of a path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathStep {
    /// `clk-to-q`, `routing`, `logic`, `carry` or `setup`.
    pub kind: String,
    /// How long it takes.
    pub delay_ns: f64,
    /// When the signal gets to its end, counted from the clock edge.
    pub arrival_ns: f64,
    /// The cell it ends in, after the signal that cell drives.
    pub cell: String,
    /// The wire, for routing.
    pub net: Option<String>,
    /// Where in the Verilog that wire comes from, as `file:line.column-line.column`, if that is known.
    pub sources: Vec<String>,
}

/// Pins of carry chains: of ECP5, of iCE40.
const CARRY_INPUTS: [&str; 2] = ["FCI", "CIN"];
const CARRY_OUTPUTS: [&str; 2] = ["FCO", "COUT"];
/// Inputs of an ECP5's half-slices that are wired to their neighbours.
const SLICE_INPUTS: [&str; 3] = ["F1", "FXA", "FXB"];

/// What nextpnr says about the registers of one clock.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Timing {
    pub(crate) fmax_mhz: f64,
    pub(crate) path: TimingPath,
}

#[derive(Deserialize)]
struct RawPath {
    from: String,
    to: String,
    path: Vec<RawStep>,
}

#[derive(Deserialize)]
struct RawStep {
    delay: f64,
    from: RawPin,
    to: RawPin,
    net: Option<String>,
    #[serde(default)]
    sources: Vec<String>,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct RawPin {
    cell: String,
    port: String,
}

/// A clock of a placed design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clock {
    /// Its wire.
    pub name: String,
    /// The rate it is to reach, in MHz.
    pub asked_mhz: f64,
    /// The highest rate, in MHz.
    pub fmax_mhz: f64,
    /// Is that enough?
    pub is_met: bool,
}

impl Clock {
    /// All clocks with a path from register to register.
    pub(crate) fn all(report: &Value) -> Vec<Clock> {
        let clocks = report["fmax"].as_object().into_iter().flatten();
        let clock = |(name, rates): (&String, &Value)| {
            let (fmax, asked) = (rates["achieved"].as_f64()?, rates["constraint"].as_f64()?);
            // nextpnr puts its own marks around the name: of the global wire, of the pin's buffer.
            let name = name.trim_start_matches("$glbnet$").split('$').next().unwrap_or(name).to_string();
            Some(Clock { name, asked_mhz: round(asked, 2), fmax_mhz: round(fmax, 2), is_met: fmax >= asked })
        };
        clocks.filter_map(clock).collect()
    }

    /// How it stands to its rate, in a sentence.
    pub fn verdict(&self) -> String {
        let Clock { name, asked_mhz, fmax_mhz, is_met } = self;
        match is_met {
            true => format!("clock {name} meets {asked_mhz:.1} MHz: it could run at {fmax_mhz:.1} MHz"),
            false => format!(
                "clock {name} misses {asked_mhz:.1} MHz by {:.1} MHz: it can run at {fmax_mhz:.1} MHz",
                asked_mhz - fmax_mhz
            ),
        }
    }
}

impl Timing {
    /// The slowest clock's rate and path.
    pub(crate) fn read(report: &Value) -> Result<Timing> {
        let clocks = report["fmax"].as_object().context("nextpnr's report has no fmax")?;
        let rates = clocks.iter().filter_map(|(clock, rate)| Some((clock, rate["achieved"].as_f64()?)));
        let (clock, fmax) =
            rates.min_by(|a, b| a.1.total_cmp(&b.1)).context("nextpnr found no path from register to register")?;
        let paths: Vec<RawPath> =
            Deserialize::deserialize(&report["critical_paths"]).context("nextpnr's critical paths can't be read")?;
        let edge = |end: &str| end.strip_prefix("posedge ").or(end.strip_prefix("negedge ")) == Some(clock.as_str());
        let slowest = paths.into_iter().filter(|path| edge(&path.from) && edge(&path.to));
        let length = |path: &RawPath| path.path.iter().map(|step| step.delay).sum::<f64>();
        let path = slowest.max_by(|a, b| length(a).total_cmp(&length(b)));
        let path = path.with_context(|| format!("nextpnr's report has no critical path of clock {clock}"))?;
        Ok(Timing { fmax_mhz: round(fmax, 2), path: TimingPath::from_raw(path) })
    }
}

impl TimingPath {
    fn from_raw(raw: RawPath) -> TimingPath {
        let sum = |routing: bool| {
            let steps = raw.path.iter().filter(|step| (step.kind == "routing") == routing);
            steps.map(|step| step.delay).sum::<f64>()
        };
        let (logic, routing) = (sum(false), sum(true));
        let from = raw.path.first().map(|step| signal(&step.from.cell)).unwrap_or_default();
        let to = raw.path.last().map(|step| signal(&step.to.cell)).unwrap_or_default();
        let inside = |name: &str, side: &str| {
            name.starts_with(side) || name.starts_with(RESULT) || name.starts_with(&format!("{INSTANCE}."))
        };
        let in_harness = !(inside(&from, LAUNCH) && inside(&to, CAPTURE));
        let (mut steps, mut arrival, mut hops) = (Vec::<PathStep>::new(), 0.0, 0);
        for step in raw.path {
            arrival += step.delay;
            let carry = CARRY_INPUTS.contains(&step.from.port.as_str())
                || CARRY_INPUTS.contains(&step.to.port.as_str())
                || CARRY_OUTPUTS.contains(&step.to.port.as_str());
            let kind = if carry { "carry".to_string() } else { step.kind };
            let inside = SLICE_INPUTS.contains(&step.to.port.as_str());
            hops += u64::from(kind == "routing" && !inside);
            let cell = signal(&step.to.cell);
            match steps.last_mut() {
                Some(last) if carry && last.kind == "carry" => {
                    last.delay_ns = round(last.delay_ns + step.delay, 3);
                    last.arrival_ns = round(arrival, 3);
                    last.cell = cell;
                }
                _ => steps.push(PathStep {
                    kind,
                    delay_ns: round(step.delay, 3),
                    arrival_ns: round(arrival, 3),
                    cell,
                    net: step.net,
                    // The cell library's own lines say nothing about the design.
                    sources: step.sources.into_iter().filter(|source| !source.starts_with('/')).collect(),
                }),
            }
        }
        let total_ns = round(logic + routing, 3);
        let (logic_ns, routing_ns) = (round(logic, 3), round(routing, 3));
        TimingPath { from, to, total_ns, logic_ns, routing_ns, in_harness, hops, steps }
    }
}

/// Yosys names a cell, and a wire without a name, after a signal nearby, with cell types and numbers behind: only the
/// signal is of interest.
pub(crate) fn signal(cell: &str) -> String {
    let types = ["_TRELLIS_FF_", "_LUT4_", "_CCU2C_", "_PFUMX_", "_L6MUX21_", "_SB_"];
    let end = types.iter().filter_map(|kind| cell.find(kind)).min().unwrap_or(cell.len());
    cell[..end].to_string()
}

/// nextpnr computes in single precision; the digits beyond are noise that would differ from run to run of a reader's
/// comparison.
fn round(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn step(kind: &str, delay: f64, from: [&str; 2], to: [&str; 2], net: Option<&str>) -> Value {
        let pin = |[cell, port]: [&str; 2]| json!({"cell": cell, "port": port, "loc": [1, 2]});
        let mut step = json!({"type": kind, "delay": delay, "from": pin(from), "to": pin(to)});
        if let Some(net) = net {
            step["net"] = json!(net);
            step["sources"] = json!(["/share/cells.v:1.1-1.2", "core.v:5.4-5.9"]);
        }
        step
    }

    fn report(from: &str, to: &str) -> Value {
        let (ff, a, b, end) =
            (&format!("{from}_TRELLIS_FF_Q_2")[..], "x_CCU2C_S0", "y_LUT4_Z", &format!("{to}_TRELLIS_FF_Q")[..]);
        let path = json!([
            step("clk-to-q", 0.525, [ff, "Q"], [ff, "Q"], None),
            step("routing", 1.0, [ff, "Q"], [a, "B"], Some("n")),
            step("logic", 0.447, [a, "B"], [a, "FCO"], None),
            step("routing", 0.0, [a, "FCO"], [b, "FCI"], Some("m")),
            step("logic", 0.071, [b, "FCI"], [b, "FCO"], None),
            step("routing", 0.5, [b, "F"], [end, "DI"], Some("o")),
            step("setup", 0.0, [end, "DI"], [end, "DI"], None),
        ]);
        json!({
            "fmax": {"clk$glb": {"achieved": 393.23456, "constraint": 100.0}, "fast": {"achieved": 500.0}},
            "critical_paths": [
                {"from": "<async>", "to": "posedge clk$glb", "path": [step("logic", 9.0, [a, "A"], [b, "B"], None)]},
                {"from": "posedge clk$glb", "to": "posedge clk$glb", "path": path},
            ],
        })
    }

    #[test]
    fn the_path_of_the_slowest_clock_is_taken() {
        let timing = Timing::read(&report("launch_req", "core.base")).unwrap();
        assert_eq!(timing.fmax_mhz, 393.23);
        let path = &timing.path;
        assert_eq!((path.total_ns, path.logic_ns, path.routing_ns, path.hops), (2.543, 1.043, 1.5, 2));
        assert_eq!((path.from.as_str(), path.to.as_str(), path.in_harness), ("launch_req", "core.base", false));
        let kinds: Vec<_> = path.steps.iter().map(|step| (step.kind.as_str(), step.arrival_ns)).collect();
        let expected =
            [("clk-to-q", 0.525), ("routing", 1.525), ("carry", 2.043), ("routing", 2.543), ("setup", 2.543)];
        assert_eq!(kinds, expected);
        assert_eq!((path.steps[2].cell.as_str(), path.steps[2].delay_ns), ("y", 0.518));
        assert_eq!(path.steps[1].sources, ["core.v:5.4-5.9"]);
    }

    #[test]
    fn a_path_of_the_harness_is_told() {
        let in_harness = |from, to| Timing::read(&report(from, to)).unwrap().path.in_harness;
        assert!(!in_harness("core.a.b", "capture_gnt"));
        assert!(!in_harness("launch_a", "capture_gnt"));
        assert!(!in_harness("result_a", "result_b"));
        assert!(in_harness("shift", "shift") && in_harness("shift", "launch_a") && in_harness("capture_b", "fold_0"));
    }

    #[test]
    fn a_report_without_registers_is_refused() {
        let error = Timing::read(&json!({"fmax": {}, "critical_paths": []})).unwrap_err().to_string();
        assert_eq!(error, "nextpnr found no path from register to register");
    }
}
