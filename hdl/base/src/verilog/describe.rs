//! What a test bench needs to know about the generated top module.

use super::collect::ValueType;
use super::index::digits;
use super::module::Module;
use super::scope::SignalKind;

/// The outside of the top module and the registers inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The Verilog name of the top module.
    pub top: String,
    /// Its ports in order.
    pub ports: Vec<Port>,
    /// Every register of the design, in instance order. The words and outputs of memories are none.
    pub registers: Vec<RegisterInfo>,
    /// Every memory of the design, in instance order.
    pub memories: Vec<MemoryInfo>,
}

/// A port of the top module, one packed vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The Verilog name.
    pub name: String,
    /// The path of Rust field names: `clk`, or `bus.valid` for a signal of an interface.
    pub field: String,
    /// Input or output of the module.
    pub input: bool,
    /// Whether it is a clock.
    pub clock: bool,
    /// Lengths of the arrays around one element, outermost first; empty for a plain signal.
    pub dims: Vec<usize>,
    /// Number of elements; 1 for a plain signal. Element i stands at `[i*element_width +: element_width]`.
    pub elements: usize,
    /// Bits of one element.
    pub element_width: usize,
    /// Bits of the port.
    pub width: usize,
}

/// A register, or one element of an array of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterInfo {
    /// The logical name: Rust fields and positions from the top block down, such as `port[3].state` or `count[2]`.
    pub name: String,
    /// The Verilog path below the top instance, with generate blocks: `g_port[3].port.state_q`.
    pub path: String,
    /// The lowest bit of this register in the vector at `path`.
    pub low: usize,
    /// Bits of the register.
    pub width: usize,
    /// The variants in order of their codes, if it holds an enum.
    pub variants: Vec<String>,
}

/// A memory, or one element of an array of memories. It has no reset, so it is no register to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// The logical name, as of a register: `port[3].words`.
    pub name: String,
    /// The Verilog path of the array of words below the top instance.
    pub path: String,
    /// Number of words.
    pub words: usize,
    /// Bits of a word.
    pub width: usize,
}

/// Describes the module at `top` of `modules`.
pub(crate) fn describe(modules: &[Module], names: &[String], top: usize) -> Description {
    let (mut registers, mut memories) = (vec![], vec![]);
    collect(modules, top, "", "", &mut registers, &mut memories);
    let ports = modules[top].ports().map(|(_, info)| Port {
        name: info.name.clone(),
        field: info.rust.clone(),
        input: info.kind == SignalKind::Input,
        clock: info.value_type == ValueType::Clock,
        dims: info.dims.clone(),
        elements: info.count(),
        element_width: info.width,
        width: info.total_width(),
    });
    Description { top: names[top].clone(), ports: ports.collect(), registers, memories }
}

fn collect(
    modules: &[Module],
    module: usize,
    logical: &str,
    path: &str,
    out: &mut Vec<RegisterInfo>,
    memories: &mut Vec<MemoryInfo>,
) {
    let module = &modules[module];
    for bank in &module.registers {
        let info = &module.signals[bank.state];
        let count: usize = bank.dims.iter().product();
        let width = info.total_width() / count.max(1);
        let variants = match &info.value_type {
            ValueType::Enum(name) => module.enums.iter().find(|known| known.name == *name),
            _ => None,
        };
        for element in 0..count {
            let indices: String = digits(&bank.dims, element).iter().map(|index| format!("[{index}]")).collect();
            out.push(RegisterInfo {
                name: format!("{logical}{}{indices}", bank.field),
                path: format!("{path}{}", info.name),
                low: element * width,
                width,
                variants: variants.map(|of| of.variants.clone()).unwrap_or_default(),
            });
        }
    }
    for bank in &module.memories {
        let (name, words, width) = (&bank.name, bank.words, bank.q.width);
        match &bank.generate {
            Some((block, _, count)) => memories.extend((0..*count).map(|element| MemoryInfo {
                name: format!("{logical}{}[{element}]", bank.field),
                path: format!("{path}{block}[{element}].{name}"),
                words,
                width,
            })),
            None => memories.push(MemoryInfo {
                name: format!("{logical}{}", bank.field),
                path: format!("{path}{name}"),
                words,
                width,
            }),
        }
    }
    for instance in &module.instances {
        match &instance.generate {
            Some((block, _, count)) => {
                for element in 0..*count {
                    let logical = format!("{logical}{}[{element}].", instance.field);
                    let path = format!("{path}{block}[{element}].{}.", instance.name);
                    collect(modules, instance.module, &logical, &path, out, memories);
                }
            }
            None => {
                let logical = format!("{logical}{}.", instance.field);
                let path = format!("{path}{}.", instance.name);
                collect(modules, instance.module, &logical, &path, out, memories);
            }
        }
    }
}
