//! Replaying recordings against the generated Verilog: all designs side by side in one test bench.

use super::bench::{Recording, Step};
use super::toolbox::{icarus_is_missing, tools, work_folder};
use powar_tools::{Progress, VerilatedLibrary, run};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A bench for many designs: one wide input and one wide output, in the order of the recordings.
pub struct Replay {
    recordings: Vec<Recording>,
    text: String,
    inputs: usize,
    outputs: usize,
}

impl Replay {
    pub fn new(recordings: Vec<Recording>) -> Self {
        let mut modules: BTreeMap<String, String> = BTreeMap::new();
        let (mut body, mut inputs, mut outputs) = (String::new(), 0, 0);
        for (number, recording) in recordings.iter().enumerate() {
            for module in &recording.design.modules {
                let other = modules.insert(module.name.clone(), module.text.clone());
                let same = other.is_none_or(|other| other == module.text);
                assert!(same, "two different test modules are called {}", module.name);
            }
            let mut pins = vec![];
            for port in &recording.design.description.ports {
                let (bus, position) = match (port.clock, port.input) {
                    (true, _) => {
                        pins.push(format!(".{}(clk)", port.name));
                        continue;
                    }
                    (false, true) => ("stimulus", &mut inputs),
                    (false, false) => ("response", &mut outputs),
                };
                pins.push(format!(".{}({bus}[{position} +: {}])", port.name, port.width));
                *position += port.width;
            }
            let step = &recording.steps[0];
            let top = &recording.design.description.top;
            let sum = |input: bool| {
                let ports = recording.design.description.ports.iter();
                ports.filter(|port| port.input == input && !port.clock).map(|port| port.width).sum::<usize>()
            };
            assert_eq!((step.inputs.len(), step.outputs.len()), (sum(true), sum(false)), "{top}: the list of pins");
            writeln!(body, "    {top} dut_{number} ({});", pins.join(", ")).unwrap();
        }
        // More than 64 bits in every case, so that Verilator always represents the buses in the same way.
        let (inputs, outputs) = (inputs.max(65), outputs.max(65));
        let modules: Vec<String> = modules.into_values().collect();
        let text = format!(
            "`default_nettype none\n{}\nmodule replay (input wire clk, input wire [{}:0] stimulus, output wire [{}:0] response);\n{body}endmodule\n",
            modules.join("\n"),
            inputs - 1,
            outputs - 1
        );
        Replay { recordings, text, inputs, outputs }
    }

    /// The same with an error put into the Verilog.
    pub fn with_error(mut self, right: &str, wrong: &str) -> Self {
        assert!(self.text.contains(right), "{}", self.text);
        self.text = self.text.replace(right, wrong);
        self
    }

    fn steps(&self) -> usize {
        self.recordings.iter().map(|recording| recording.steps.len()).max().unwrap_or(0)
    }

    /// The input bits of all designs in one step; a recording that has ended repeats its last step.
    fn stimulus(&self, step: usize) -> Vec<bool> {
        let last = |recording: &Recording| step.min(recording.steps.len() - 1);
        let bits = self.recordings.iter().flat_map(|recording| recording.steps[last(recording)].inputs.clone());
        let mut bits: Vec<bool> = bits.collect();
        bits.resize(self.inputs, false);
        bits
    }

    /// Compares the answer to one step; `None` is a bit without a value.
    fn compare(&self, simulator: &str, step: usize, response: &[Option<bool>], wrong: &mut BTreeMap<String, String>) {
        let mut position = 0;
        for recording in &self.recordings {
            let width = recording.steps[0].outputs.len();
            let answer = &response[position..position + width];
            position += width;
            // Before the first clock edge the registers of the hardware hold anything.
            let Some(expected) = recording.steps.get(step).filter(|_| step > 0 || !recording.clocked) else { continue };
            if expected.outputs.iter().zip(answer).any(|(bit, answer)| Some(*bit) != *answer) {
                let top = &recording.design.description.top;
                let told = || {
                    format!("{simulator} differs from rust-hdl in step {step}: {}", report(recording, expected, answer))
                };
                wrong.entry(top.clone()).or_insert_with(told);
            }
        }
    }

    /// Compiles with Verilator, replays, and panics with a list of the designs that differ.
    pub fn verilator(&self) {
        let library = VerilatedLibrary::new("replay")
            .source("replay.v", self.text.as_str())
            .shim(SHIM)
            // The modules stand in one file. The false loops are elements of one packed vector that feed each other.
            .argument("-Wno-DECLFILENAME")
            .argument("-Wno-UNOPTFLAT")
            .build(tools(), &Progress::stderr())
            .unwrap_or_else(|error| panic!("{error}"));
        // SAFETY: the library was just built from SHIM, which declares these functions with these types.
        let library = unsafe { libloading::Library::new(library) }.unwrap();
        let new = unsafe { library.get::<unsafe extern "C" fn() -> *mut u8>(b"replay_new") }.unwrap();
        type StepFn = unsafe extern "C" fn(*mut u8, *const u32, *mut u32);
        let step = unsafe { library.get::<StepFn>(b"replay_step") }.unwrap();
        let model = unsafe { new() };
        let mut wrong = BTreeMap::new();
        for number in 0..self.steps() {
            let mut stimulus = vec![0u32; self.inputs.div_ceil(32)];
            for (position, bit) in self.stimulus(number).into_iter().enumerate() {
                stimulus[position / 32] |= u32::from(bit) << (position % 32);
            }
            let mut response = vec![0u32; self.outputs.div_ceil(32)];
            unsafe { step(model, stimulus.as_ptr(), response.as_mut_ptr()) };
            let bits = (0..self.outputs).map(|position| Some(response[position / 32] >> (position % 32) & 1 == 1));
            self.compare("Verilator", number, &bits.collect::<Vec<_>>(), &mut wrong);
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// Replays in Icarus Verilog, where it is installed.
    pub fn icarus(&self, folder: &str) {
        if icarus_is_missing() {
            return;
        }
        let icarus = tools().icarus().unwrap();
        let folder = work_folder(folder);
        let hex = |bits: Vec<bool>| -> String {
            let digits = bits.chunks(4).map(|four| four.iter().rev().fold(0, |digit, &bit| digit * 2 + u32::from(bit)));
            digits.map(|digit| char::from_digit(digit, 16).unwrap()).rev().collect()
        };
        let stimulus: Vec<String> = (0..self.steps()).map(|step| hex(self.stimulus(step))).collect();
        std::fs::write(folder.join("stimulus.hex"), stimulus.join("\n")).unwrap();
        std::fs::write(folder.join("replay.v"), &self.text).unwrap();
        let driver = ICARUS_DRIVER
            .replace("INPUTS", &(self.inputs - 1).to_string())
            .replace("OUTPUTS", &(self.outputs - 1).to_string())
            .replace("STEPS", &self.steps().to_string());
        std::fs::write(folder.join("driver.v"), driver).unwrap();
        let mut compile = icarus.compiler();
        compile.current_dir(&folder).args(["-g2005", "-o", "replay.vvp", "replay.v", "driver.v"]);
        run(&mut compile, "iverilog").unwrap_or_else(|error| panic!("{error}"));
        let mut simulate = icarus.runtime();
        let output = run(simulate.current_dir(&folder).args(["-n", "replay.vvp"]), "vvp");
        let output = output.unwrap_or_else(|error| panic!("{error}")).stdout;
        let mut wrong = BTreeMap::new();
        let mut steps = 0;
        for (number, line) in output.lines().filter_map(|line| line.strip_prefix("= ")).enumerate() {
            let bits = line.trim().chars().rev().map(|digit| digit.to_digit(2).map(|bit| bit == 1));
            self.compare("Icarus", number, &bits.collect::<Vec<_>>(), &mut wrong);
            steps += 1;
        }
        assert_eq!(steps, self.steps(), "Icarus ended early:\n{output}");
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// The inputs and both outputs of a step that differs, by port.
fn report(recording: &Recording, step: &Step, answer: &[Option<bool>]) -> String {
    let text = |bits: &[Option<bool>]| -> String {
        bits.iter().rev().map(|bit| bit.map_or('x', |bit| if bit { '1' } else { '0' })).collect()
    };
    let known = |bits: &[bool]| bits.iter().map(|bit| Some(*bit)).collect::<Vec<_>>();
    let (mut input, mut output, mut words) = (0, 0, vec![]);
    for port in recording.design.description.ports.iter().filter(|port| !port.clock) {
        match port.input {
            true => {
                words.push(format!("{}={}", port.name, text(&known(&step.inputs[input..input + port.width]))));
                input += port.width;
            }
            false => {
                let expected = text(&known(&step.outputs[output..output + port.width]));
                let got = text(&answer[output..output + port.width]);
                output += port.width;
                if expected != got {
                    words.push(format!("{}={got}, expected {expected}", port.name));
                }
            }
        }
    }
    words.join(" ")
}

const SHIM: &str = r#"
#include "Vmodel.h"
#include <cstring>
extern "C" void* replay_new() { return new Vmodel; }
extern "C" void replay_step(void* self, const uint32_t* stimulus, uint32_t* response) {
    Vmodel* model = static_cast<Vmodel*>(self);
    std::memcpy(&model->stimulus[0], stimulus, sizeof model->stimulus);
    model->clk = 0;
    model->eval();
    std::memcpy(response, &model->response[0], sizeof model->response);
    model->clk = 1;
    model->eval();
}
"#;

const ICARUS_DRIVER: &str = r#"
module driver;
    reg [INPUTS:0] vectors [0:STEPS - 1];
    reg [INPUTS:0] stimulus;
    reg clk;
    wire [OUTPUTS:0] response;
    integer step;
    replay replay (.clk(clk), .stimulus(stimulus), .response(response));
    initial begin
        $readmemh("stimulus.hex", vectors);
        clk = 0;
        for (step = 0; step < STEPS; step = step + 1) begin
            clk = 0;
            stimulus = vectors[step];
            #1 $display("= %b", response);
            clk = 1;
            #1;
        end
        $finish;
    end
endmodule
"#;
