//! The emitted Verilog of a block, compiled by Verilator and called in process.

use super::lockstep_top::{self, RegisterRow};
use super::{Dut, Mismatch};
use crate::lockstep::{Batch, same_signals};
use anyhow::{Context, Result};
use libloading::{Library, Symbol};
use powar_config::{CycleModel, Layout, Role, SignalDecl};
use powar_hdl::verilog::Design;
use powar_tools::{Progress, Tools, VerilatedLibrary};
use std::collections::HashMap;
use std::ffi::c_void;
use std::path::Path;

type Create = unsafe extern "C" fn() -> *mut c_void;
type Destroy = unsafe extern "C" fn(*mut c_void);
type Fault = unsafe extern "C" fn(*mut c_void, u64);
type Cycle = unsafe extern "C" fn(*mut c_void, *const u64, *mut u64);
type Observe = unsafe extern "C" fn(*const c_void, *mut u64);
type Follow = unsafe extern "C" fn(*mut c_void, *const u64, *const u64, u64, *mut u64) -> u64;

/// A block as Verilog in Verilator.
pub struct Verilator {
    layout: Layout,
    dut: *mut c_void,
    destroy: Destroy,
    cycle: Cycle,
    observe: Observe,
    follow: Follow,
    /// Keeps the code of the functions above mapped; dropped last.
    _library: Library,
}

impl Verilator {
    /// Compiles `design` (or takes the library of an earlier run) and resets it. Slots are those of `reference`, the golden
    /// twin's layout.
    ///
    /// # Errors
    /// Missing tools, Verilog that Verilator refuses or warns of, and signals that are not those of the reference.
    pub fn new(design: &Design, reference: &Layout, tools: &Tools, progress: &Progress) -> Result<Self> {
        let library = Self::library(design, reference, false)?.build(tools, progress)?;
        Self::load(&library, reference.clone(), None)
    }

    /// What is to be compiled; with an input that switches deliberate faults on if the design holds `faults`.
    ///
    /// # Errors
    /// The signals are not those of the reference.
    pub fn library(design: &Design, reference: &Layout, faults: bool) -> Result<VerilatedLibrary> {
        let registers = register_rows(design);
        same_signals(reference, &layout_of(design, &registers, reference))?;
        let top = &design.description.top;
        let clocked = design.description.ports.iter().any(|port| port.clock);
        Ok(VerilatedLibrary::new(lockstep_top::TOP)
            .source(format!("{top}.v"), design.to_single_file())
            .source("lockstep_top.sv", lockstep_top::verilog(top, clocked, reference, &registers, faults))
            .shim(lockstep_top::shim(clocked, reference, faults)))
    }

    /// A fresh instance of a compiled library, after a reset; with a deliberate fault on if the library holds some (0 =
    /// none).
    ///
    /// # Errors
    /// The file is not a library of ours.
    pub fn load(path: &Path, layout: Layout, fault: Option<u64>) -> Result<Self> {
        let broken = || format!("can't load {}; delete it to have it built again", path.display());
        // SAFETY: the library is ours, made by `VerilatedLibrary` from `lockstep_top::shim`, with these very signatures. The
        // function pointers are copied out of their `Symbol`s and used only while `_library` keeps them mapped.
        let mut dut = unsafe {
            let library = Library::new(path).with_context(broken)?;
            let create: Symbol<Create> = library.get(b"powar_create").with_context(broken)?;
            let dut = create();
            if let Some(fault) = fault {
                library.get::<Fault>(b"powar_fault").with_context(broken)?(dut, fault);
            }
            let destroy = *library.get::<Destroy>(b"powar_destroy").with_context(broken)?;
            let cycle = *library.get::<Cycle>(b"powar_cycle").with_context(broken)?;
            let observe = *library.get::<Observe>(b"powar_observe").with_context(broken)?;
            let follow = *library.get::<Follow>(b"powar_follow").with_context(broken)?;
            Verilator { layout, dut, destroy, cycle, observe, follow, _library: library }
        };
        dut.reset();
        Ok(dut)
    }

    /// What the design shows now: after a cycle, what registers hold in the next one, and outputs that come from registers alone.
    pub fn observe(&self, observed: &mut [u64]) {
        assert_eq!(observed.len(), self.layout.observed_slots());
        // SAFETY: the frame has the length that the shim was generated for.
        unsafe { (self.observe)(self.dut, observed.as_mut_ptr()) }
    }

    /// One cycle of reset before cycle 0: registers in Verilog have no value before it.
    fn reset(&mut self) {
        if let Some(rst) = self.layout.input("rst") {
            let mut inputs = vec![0; self.layout.input_slots()];
            inputs[rst] = 1;
            let mut observed = vec![0; self.layout.observed_slots()];
            self.cycle(&inputs, &mut observed);
        }
    }
}

/// The registers of a design by their logical names; the children of an array are rows.
fn register_rows(design: &Design) -> Vec<RegisterRow> {
    let registers = &design.description.registers;
    let mut rows: Vec<RegisterRow> = Vec::with_capacity(registers.len());
    let mut next_row: HashMap<String, usize> = HashMap::new();
    let mut sharing: HashMap<&str, usize> = HashMap::new();
    for register in registers {
        *sharing.entry(&register.path).or_default() += 1;
    }
    for register in registers {
        let signal = logical_name(&register.name);
        let row = next_row.entry(signal.clone()).or_default();
        let path = match sharing[register.path.as_str()] {
            1 => register.path.clone(),
            _ => format!("{}[{} +: {}]", register.path, register.low, register.width),
        };
        rows.push(RegisterRow { signal, row: *row, path, width: register.width });
        *row += 1;
    }
    rows
}

/// The name of the microarchitecture page: `fsm[3].state_r` is a row of `fsm.state`.
fn logical_name(field: &str) -> String {
    let mut name = String::new();
    let mut depth = 0;
    for c in field.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            c if depth == 0 => name.push(c),
            _ => (),
        }
    }
    name.strip_suffix("_r").map(str::to_string).unwrap_or(name)
}

/// The signals of a design, with its ports cut into rows as the reference has them.
fn layout_of(design: &Design, registers: &[RegisterRow], reference: &Layout) -> Layout {
    let ports = design.description.ports.iter().filter(|port| !port.clock).map(|port| {
        let (role, known) = match port.input {
            true => (Role::Input, &reference.inputs),
            false => (Role::Output, &reference.observed),
        };
        let known = known.iter().find(|signal| signal.role == role && signal.name == port.name);
        match known.filter(|signal| signal.rows * signal.width == port.width) {
            Some(signal) => signal.clone(),
            None => SignalDecl::new(role, port.name.as_str(), port.elements, port.element_width.clamp(1, 64)),
        }
    });
    let mut signals: Vec<SignalDecl> = ports.collect();
    let mut place: HashMap<&str, usize> = HashMap::new();
    for register in registers {
        let index = *place.entry(&register.signal).or_insert_with(|| {
            signals.push(SignalDecl::new(Role::Register, register.signal.as_str(), 0, register.width));
            signals.len() - 1
        });
        signals[index].rows += 1;
        signals[index].width = signals[index].width.max(register.width);
    }
    Layout::new(signals)
}

impl Drop for Verilator {
    fn drop(&mut self) {
        // SAFETY: `dut` came from `powar_create` of the same library and is given back once.
        unsafe { (self.destroy)(self.dut) }
    }
}

impl CycleModel for Verilator {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        assert!(inputs.len() == self.layout.input_slots() && observed.len() == self.layout.observed_slots());
        // SAFETY: the frames have the lengths that the shim was generated for.
        unsafe { (self.cycle)(self.dut, inputs.as_ptr(), observed.as_mut_ptr()) }
    }
}

impl Dut for Verilator {
    fn name(&self) -> &'static str {
        "verilator"
    }

    fn follow(&mut self, batch: &Batch) -> Result<Option<Mismatch>> {
        let (inputs, slots) = (self.layout.input_slots(), self.layout.observed_slots());
        assert!(batch.inputs.len() >= batch.cycles * inputs && batch.expected.len() >= batch.cycles * slots);
        let mut observed = vec![0; slots];
        // SAFETY: both frames hold `cycles` rows of the lengths that the shim was generated for, `observed` holds one.
        let equal = unsafe {
            let (inputs, expected) = (batch.inputs.as_ptr(), batch.expected.as_ptr());
            (self.follow)(self.dut, inputs, expected, batch.cycles as u64, observed.as_mut_ptr())
        } as usize;
        if equal == batch.cycles {
            return Ok(None);
        }
        let expected = &batch.expected[equal * slots..][..slots];
        let slot = observed.iter().zip(expected).position(|(dut, golden)| dut != golden);
        Ok(Some(Mismatch { row: equal, slot: slot.expect("the shim found a difference"), observed }))
    }
}
