//! Words that mean something else in a language that a design meets.

/// A language and its words, sorted.
struct Language {
    name: &'static str,
    words: &'static [&'static str],
}

/// Verilog-2005 and SystemVerilog-2017: a name from either would stop one of the tools.
#[rustfmt::skip]
static VERILOG: Language = Language {
    name: "Verilog or SystemVerilog",
    words: &[
        "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert", "assign", "assume", "automatic", "before",
        "begin", "bind", "bins", "binsof", "bit", "break", "buf", "bufif0", "bufif1", "byte", "case", "casex", "casez", "cell", "chandle",
        "checker", "class", "clocking", "cmos", "config", "const", "constraint", "context", "continue", "cover", "covergroup", "coverpoint",
        "cross", "deassign", "default", "defparam", "design", "disable", "dist", "do", "edge", "else", "end", "endcase", "endchecker",
        "endclass", "endclocking", "endconfig", "endfunction", "endgenerate", "endgroup", "endinterface", "endmodule", "endpackage",
        "endprimitive", "endprogram", "endproperty", "endsequence", "endspecify", "endtable", "endtask", "enum", "event", "eventually",
        "expect", "export", "extends", "extern", "final", "first_match", "for", "force", "foreach", "forever", "fork", "forkjoin", "function",
        "generate", "genvar", "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins", "implements", "implies",
        "import", "incdir", "include", "initial", "inout", "input", "inside", "instance", "int", "integer", "interconnect", "interface",
        "intersect", "join", "join_any", "join_none", "large", "let", "liblist", "library", "local", "localparam", "logic", "longint",
        "macromodule", "matches", "medium", "modport", "module", "nand", "negedge", "nettype", "new", "nexttime", "nmos", "nor",
        "noshowcancelled", "not", "notif0", "notif1", "null", "or", "output", "package", "packed", "parameter", "pmos", "posedge", "primitive",
        "priority", "program", "property", "protected", "pull0", "pull1", "pulldown", "pullup", "pulsestyle_ondetect", "pulsestyle_onevent",
        "pure", "rand", "randc", "randcase", "randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release", "repeat",
        "restrict", "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1", "s_always", "s_eventually", "s_nexttime", "s_until",
        "s_until_with", "scalared", "sequence", "shortint", "shortreal", "showcancelled", "signed", "small", "soft", "solve", "specify",
        "specparam", "static", "string", "strong", "strong0", "strong1", "struct", "super", "supply0", "supply1", "sync_accept_on",
        "sync_reject_on", "table", "tagged", "task", "this", "throughout", "time", "timeprecision", "timeunit", "tran", "tranif0", "tranif1",
        "tri", "tri0", "tri1", "triand", "trior", "trireg", "type", "typedef", "union", "unique", "unique0", "unsigned", "until", "until_with",
        "untyped", "use", "uwire", "var", "vectored", "virtual", "void", "wait", "wait_order", "wand", "weak", "weak0", "weak1", "while",
        "wildcard", "wire", "with", "within", "wor", "xnor", "xor",
    ],
};

/// C++26 with its technical specifications, C23, and what Verilator warns of besides: signals are variables of the model that it makes.
#[rustfmt::skip]
static CPP: Language = Language {
    name: "C or C++, which a simulator may turn the design into",
    words: &[
        "NULL", "alignas", "alignof", "and", "and_eq", "asm", "atomic_cancel", "atomic_commit", "atomic_noexcept", "auto", "bit_vector",
        "bitand", "bitor", "bool", "break", "case", "catch", "cdecl", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
        "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue",
        "contract_assert", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern",
        "false", "far", "final", "float", "for", "friend", "goto", "huge", "if", "import", "inline", "int", "interrupt", "long", "module",
        "mutable", "namespace", "near", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "override", "pascal",
        "private", "protected", "public", "reflexpr", "register", "reinterpret_cast", "requires", "restrict", "return", "sc_clock", "sc_in",
        "sc_inout", "sc_out", "sc_signal", "sensitive", "sensitive_neg", "sensitive_pos", "short", "signed", "sizeof", "static",
        "static_assert", "static_cast", "struct", "switch", "synchronized", "template", "this", "thread_local", "throw", "true", "try",
        "type_info", "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union", "unsigned", "using", "virtual", "void", "volatile",
        "wchar_t", "while", "xor", "xor_eq",
    ],
};

/// VHDL-2019 and its property language, in which upper and lower case are the same.
#[rustfmt::skip]
static VHDL: Language = Language {
    name: "VHDL, in which the design may be instantiated",
    words: &[
        "abs", "access", "after", "alias", "all", "and", "architecture", "array", "assert", "assume", "assume_guarantee", "attribute", "begin",
        "block", "body", "buffer", "bus", "case", "component", "configuration", "constant", "context", "cover", "default", "disconnect",
        "downto", "else", "elsif", "end", "entity", "exit", "fairness", "file", "for", "force", "function", "generate", "generic", "group",
        "guarded", "if", "impure", "in", "inertial", "inout", "is", "label", "library", "linkage", "literal", "loop", "map", "mod", "nand",
        "new", "next", "nor", "not", "null", "of", "on", "open", "or", "others", "out", "package", "parameter", "port", "postponed", "private",
        "procedure", "process", "property", "protected", "pure", "range", "record", "register", "reject", "release", "rem", "report",
        "restrict", "restrict_guarantee", "return", "rol", "ror", "select", "sequence", "severity", "shared", "signal", "sla", "sll", "sra",
        "srl", "strong", "subtype", "then", "to", "transport", "type", "unaffected", "units", "until", "use", "variable", "view", "vmode",
        "vprop", "vunit", "wait", "when", "while", "with", "xnor", "xor",
    ],
};

/// The language that keeps any name in a module from being `name`.
pub(super) fn inside(name: &str) -> Option<&'static str> {
    [&VERILOG, &CPP].into_iter().find(|language| language.has(name)).map(|language| language.name)
}

/// The language that keeps a module or port that another design names from being `name`, though a signal inside may be: that design writes no others.
pub(super) fn outside(name: &str) -> Option<&'static str> {
    VHDL.has(&name.to_ascii_lowercase()).then_some(VHDL.name)
}

impl Language {
    fn has(&self, name: &str) -> bool {
        self.words.binary_search(&name).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        for language in [&VERILOG, &CPP, &VHDL] {
            assert!(language.words.is_sorted(), "{}", language.name);
        }
    }

    #[test]
    fn words_are_found_in_their_language() {
        for word in ["always_ff", "xor", "short", "long", "char8_t", "NULL"] {
            assert!(inside(word).is_some() && inside(&format!("{word}s")).is_none(), "{word}");
        }
        for word in ["open", "Select", "IN", "elsif"] {
            assert!(outside(word).is_some(), "{word}");
        }
        assert_eq!((inside("open"), outside("opened")), (None, None));
    }
}
