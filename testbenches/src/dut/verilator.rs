//! The emitted Verilog of a block, compiled by Verilator and called in process.

use super::image::{ImageLayout, SlotAddress};
use super::lockstep_top::{self, Driving, RegisterRow, Surroundings};
use super::{Dut, Mismatch};
use crate::batch::{Batch, Expected};
use crate::lockstep::same_signals;
use anyhow::{Context, Result, bail, ensure};
use libloading::Library;
use powar_config::{CycleModel, Layout, Meaning, Role, SignalDecl};
use powar_hdl::verilog::Design;
use powar_tools::{Progress, Tools, VerilatedLibrary};
use std::collections::HashMap;
use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::sync::Arc;

type Create = unsafe extern "C" fn() -> *mut c_void;
type Destroy = unsafe extern "C" fn(*mut c_void);
type Fault = unsafe extern "C" fn(*mut c_void, u64);
type Cycle = unsafe extern "C" fn(*mut c_void, *const u64, *mut u64);
type Coverage = unsafe extern "C" fn(*mut c_void, *const c_char);
type Observe = unsafe extern "C" fn(*const c_void, *mut u64);
type Places = unsafe extern "C" fn(*const c_void, *mut u32, *mut u8) -> u64;
type Follow =
    unsafe extern "C" fn(*mut c_void, *const u64, *const u8, *const u32, u64, *const u8, u64, *mut u64) -> u64;

/// A block as Verilog in Verilator, for lock-step: driven with inputs that do not hang on what it shows.
pub struct Verilator {
    instance: Instance,
    follow: Follow,
    image: Arc<ImageLayout>,
}

/// A block as Verilog in Verilator that others hang on: what it shows in the next cycle is known before the inputs of that
/// cycle. It takes two evaluations a cycle, [`Verilator`] one.
pub struct LoopedVerilator {
    instance: Instance,
    observe: Observe,
}

/// A design in a library of ours.
struct Instance {
    layout: Layout,
    dut: *mut c_void,
    destroy: Destroy,
    cycle: Cycle,
    /// Keeps the code of the functions mapped; dropped last.
    library: Library,
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
        let beside = if faults { Beside::Faults } else { Beside::Nothing };
        library(design, reference, beside, Driving::LockStep)
    }

    /// The same without faults, and counting which lines of the design's own module run and which of its bits change, not those of its children;
    /// see [`Verilator::write_coverage`].
    ///
    /// # Errors
    /// As of [`Verilator::library`].
    pub fn covered_library(design: &Design, reference: &Layout) -> Result<VerilatedLibrary> {
        library(design, reference, Beside::Coverage, Driving::LockStep)
    }

    /// A fresh instance of a compiled library, after a reset; with a deliberate fault on if the library holds some (0 =
    /// none).
    ///
    /// # Errors
    /// The file is not a library of [`Verilator::library`].
    pub fn load(path: &Path, layout: Layout, fault: Option<u64>) -> Result<Self> {
        let instance = Instance::load(path, layout, fault)?;
        let slots = instance.layout.observed_slots();
        let (mut at, mut bytes) = (vec![0; slots], vec![0; slots]);
        // SAFETY: as in `Instance::load`; the lists have a place for every slot that the shim was generated for.
        let (follow, size) = unsafe {
            let follow = *instance.library.get::<Follow>(b"powar_follow").with_context(|| broken(path))?;
            let places = instance.library.get::<Places>(b"powar_places").with_context(|| broken(path))?;
            (follow, places(instance.dut, at.as_mut_ptr(), bytes.as_mut_ptr()))
        };
        let places: Vec<SlotAddress> = at.into_iter().zip(bytes).map(|(at, bytes)| SlotAddress { at, bytes }).collect();
        let image = Arc::new(ImageLayout::new(size as usize, &places).with_context(|| broken(path))?);
        Ok(Verilator { instance, follow, image })
    }

    /// Writes what has been counted since the reset to a file, in Verilator's form.
    ///
    /// # Errors
    /// A library that is not of [`Verilator::covered_library`]; a path with a zero in it.
    pub fn write_coverage(&self, path: &Path) -> Result<()> {
        let name = CString::new(path.as_os_str().as_encoded_bytes())?;
        // SAFETY: as in `Instance::load`; the name ends with a zero.
        unsafe {
            let write =
                self.instance.library.get::<Coverage>(b"powar_coverage").context("a library that counts nothing")?;
            write(self.instance.dut, name.as_ptr());
        }
        Ok(())
    }
}

impl LoopedVerilator {
    /// What is to be compiled, as of [`Verilator::library`].
    ///
    /// # Errors
    /// As of [`Verilator::library`]; a design without a clock.
    pub fn library(design: &Design, reference: &Layout, faults: bool) -> Result<VerilatedLibrary> {
        ensure!(!clocks(design).is_empty(), "{}: in a loop a design needs a clock", design.description.top);
        let beside = if faults { Beside::Faults } else { Beside::Nothing };
        library(design, reference, beside, Driving::Loop)
    }

    /// As [`Verilator::load`].
    ///
    /// # Errors
    /// The file is not a library of [`LoopedVerilator::library`].
    pub fn load(path: &Path, layout: Layout, fault: Option<u64>) -> Result<Self> {
        let instance = Instance::load(path, layout, fault)?;
        // SAFETY: as in `Instance::load`.
        let observe = *unsafe { instance.library.get::<Observe>(b"powar_observe") }.with_context(|| broken(path))?;
        Ok(LoopedVerilator { instance, observe })
    }

    /// What the design shows in the cycle that follows, as far as it doesn't hang on its inputs: what registers hold, and
    /// outputs that come from registers alone.
    pub fn observe(&self, observed: &mut [u64]) {
        assert_eq!(observed.len(), self.instance.layout.observed_slots());
        // SAFETY: the frame has the length that the shim was generated for.
        unsafe { (self.observe)(self.instance.dut, observed.as_mut_ptr()) }
    }
}

impl Instance {
    fn load(path: &Path, layout: Layout, fault: Option<u64>) -> Result<Self> {
        let broken = || broken(path);
        // SAFETY: the library is ours, made by `VerilatedLibrary` from `lockstep_top::shim`, with these very signatures. The
        // function pointers are copied out of their `Symbol`s and used only while `library` keeps them mapped.
        let mut instance = unsafe {
            let library = Library::new(path).with_context(broken)?;
            let destroy = *library.get::<Destroy>(b"powar_destroy").with_context(broken)?;
            let cycle = *library.get::<Cycle>(b"powar_cycle").with_context(broken)?;
            let dut = library.get::<Create>(b"powar_create").with_context(broken)?();
            Instance { layout, dut, destroy, cycle, library }
        };
        if let Some(fault) = fault {
            // SAFETY: as above.
            unsafe { instance.library.get::<Fault>(b"powar_fault").with_context(broken)?(instance.dut, fault) };
        }
        instance.reset();
        Ok(instance)
    }

    /// One cycle of reset before cycle 0, in which every clock rises: registers in Verilog have no value before it.
    fn reset(&mut self) {
        let mut inputs = vec![0; self.layout.input_slots()];
        for signal in &self.layout.inputs {
            let slot = self.layout.input(&signal.name).expect("an input");
            inputs[slot] = u64::from(matches!(signal.meaning, Meaning::Reset | Meaning::ClockEdge));
        }
        if inputs.contains(&1) {
            let mut observed = vec![0; self.layout.observed_slots()];
            self.cycle(&inputs, &mut observed);
        }
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        assert!(inputs.len() == self.layout.input_slots() && observed.len() == self.layout.observed_slots());
        // SAFETY: the frames have the lengths that the shim was generated for.
        unsafe { (self.cycle)(self.dut, inputs.as_ptr(), observed.as_mut_ptr()) }
    }
}

/// Says that a library is not the one it should be.
fn broken(path: &Path) -> String {
    format!("can't load {}; delete it to have it built again", path.display())
}

/// What a library has beside the design.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    /// An input that switches deliberate faults on.
    Faults,
    /// Counts of what runs and of what changes.
    Coverage,
}

/// A design with what it takes to call it.
fn library(design: &Design, reference: &Layout, beside: Beside, driving: Driving) -> Result<VerilatedLibrary> {
    let registers = register_rows(design);
    same_signals(reference, &layout_of(design, &registers, reference))?;
    let top = &design.description.top;
    let clocks = clocks(design);
    let (faults, coverage) = (beside == Beside::Faults, beside == Beside::Coverage);
    let surroundings = Surroundings {
        design: top,
        clocks: &clocks,
        faults,
        coverage,
        driving,
        layout: reference,
        registers: &registers,
    };
    let text = if coverage { counted(design) } else { vec![(format!("{top}.v"), design.to_single_file())] };
    let library = VerilatedLibrary::new(lockstep_top::TOP);
    let library = text.into_iter().fold(library, |library, (name, text)| library.source(name, text));
    let library = library
        .source("lockstep_top.sv", lockstep_top::verilog(&surroundings))
        .source("lockstep_top.vlt", lockstep_top::configuration(&surroundings))
        // One class for all, so that the shim finds the registers by their names.
        .argument("--flatten")
        .shim(lockstep_top::shim(&surroundings));
    let arguments = COVERAGE.iter().filter(|_| coverage);
    Ok(arguments.fold(library, |library, argument| library.argument(*argument)))
}

/// What is counted; bits of a signal, and entries of a memory, up to which they are counted one by one. Without states of machines
/// (`--coverage-fsm`): Verilator of May 2026 finds none of ours, and ends with an internal error at comparisons of a register's bits.
const COVERAGE: [&str; 6] =
    ["--coverage-line", "--coverage-toggle", "--coverage-expr", "--coverage-user", "--coverage-max-width", "1024"];

/// The text of a design a file a module, and before them what is not counted: all modules but the top's.
fn counted(design: &Design) -> Vec<(String, String)> {
    let top = format!("{}.v", design.description.top);
    let files: Vec<(String, String)> = design.files().into_iter().filter(|(name, _)| name.ends_with(".v")).collect();
    let others = files.iter().map(|(name, _)| name.as_str()).filter(|name| *name != top);
    let lines = others.chain(["lockstep_top.sv"]).map(|name| format!("coverage_off -file \"{name}\"\n"));
    let off = ("uncounted.vlt".to_owned(), format!("`verilator_config\n{}", lines.collect::<String>()));
    std::iter::once(off).chain(files).collect()
}

/// The clocks of a design.
fn clocks(design: &Design) -> Vec<String> {
    design.description.ports.iter().filter(|port| port.clock).map(|port| port.name.clone()).collect()
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
    let edges = clocks(design).into_iter().filter_map(|clock| lockstep_top::edge_input(&clock));
    let edges = edges.map(|edge| SignalDecl::new(Role::Input, edge, 1, 1));
    let mut signals: Vec<SignalDecl> = edges.chain(ports).collect();
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

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: `dut` came from `powar_create` of the same library and is given back once.
        unsafe { (self.destroy)(self.dut) }
    }
}

impl CycleModel for Verilator {
    fn layout(&self) -> &Layout {
        &self.instance.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        self.instance.cycle(inputs, observed);
    }
}

impl CycleModel for LoopedVerilator {
    fn layout(&self) -> &Layout {
        &self.instance.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        self.instance.cycle(inputs, observed);
    }
}

impl Dut for Verilator {
    fn name(&self) -> &'static str {
        "verilator"
    }

    fn image(&self) -> Option<Arc<ImageLayout>> {
        Some(self.image.clone())
    }

    fn follow(&mut self, batch: &Batch) -> Result<Option<Mismatch>> {
        let Expected::Images { images, oversized, .. } = &batch.expected else {
            bail!("a batch for a model in Verilator holds images of its memory");
        };
        let layout = &self.instance.layout;
        let (inputs, slots) = (layout.input_slots(), layout.observed_slots());
        let (pieces, mask) = (self.image.pieces(), self.image.mask());
        assert!(batch.inputs.len() >= batch.cycles * inputs && images.len() >= batch.cycles * mask.len());
        // What an image of an oversized value lacks can't be compared, and needn't be.
        let comparable = oversized.as_ref().map_or(batch.cycles, |&(row, _)| row);
        let mut observed = vec![0; slots];
        // SAFETY: inputs and images hold `comparable` rows of the lengths that the shim was generated for and that `image`
        // has; `observed` holds one. The pieces lie in the model.
        let equal = unsafe {
            (self.follow)(
                self.instance.dut,
                batch.inputs.as_ptr(),
                images.as_ptr(),
                pieces.as_ptr(),
                pieces.len() as u64,
                mask.as_ptr(),
                comparable as u64,
                observed.as_mut_ptr(),
            )
        } as usize;
        if equal == batch.cycles {
            return Ok(None);
        }
        if equal == comparable {
            self.instance.cycle(&batch.inputs[equal * inputs..][..inputs], &mut observed);
        }
        let expected = batch.expected.frame(equal, slots);
        Ok(Some(Mismatch::between(equal, &observed, &expected).context("a difference that no signal shows")?))
    }
}
