//! Which identifiers are legal in the generated text, and how Rust names become Verilog names.

use anyhow::{Result, bail};

/// Reserved words of Verilog-2005 and of SystemVerilog-2017: a name from either would stop one of the tools.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert", "assign", "assume", "automatic",
    "before", "begin", "bind", "bins", "binsof", "bit", "break", "buf", "bufif0", "bufif1", "byte", "case", "casex", "casez", "cell",
    "chandle", "checker", "class", "clocking", "cmos", "config", "const", "constraint", "context", "continue", "cover", "covergroup",
    "coverpoint", "cross", "deassign", "default", "defparam", "design", "disable", "dist", "do", "edge", "else", "end", "endcase",
    "endchecker", "endclass", "endclocking", "endconfig", "endfunction", "endgenerate", "endgroup", "endinterface", "endmodule",
    "endpackage", "endprimitive", "endprogram", "endproperty", "endsequence", "endspecify", "endtable", "endtask", "enum", "event",
    "eventually", "expect", "export", "extends", "extern", "final", "first_match", "for", "force", "foreach", "forever", "fork",
    "forkjoin", "function", "generate", "genvar", "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins",
    "implements", "implies", "import", "incdir", "include", "initial", "inout", "input", "inside", "instance", "int", "integer",
    "interconnect", "interface", "intersect", "join", "join_any", "join_none", "large", "let", "liblist", "library", "local",
    "localparam", "logic", "longint", "macromodule", "matches", "medium", "modport", "module", "nand", "negedge", "nettype", "new",
    "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0", "notif1", "null", "or", "output", "package", "packed", "parameter",
    "pmos", "posedge", "primitive", "priority", "program", "property", "protected", "pull0", "pull1", "pulldown", "pullup",
    "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase", "randsequence", "rcmos", "real", "realtime",
    "ref", "reg", "reject_on", "release", "repeat", "restrict", "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1",
    "s_always", "s_eventually", "s_nexttime", "s_until", "s_until_with", "scalared", "sequence", "shortint", "shortreal",
    "showcancelled", "signed", "small", "soft", "solve", "specify", "specparam", "static", "string", "strong", "strong0", "strong1",
    "struct", "super", "supply0", "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged", "task", "this", "throughout",
    "time", "timeprecision", "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg", "type",
    "typedef", "union", "unique", "unique0", "unsigned", "until", "until_with", "untyped", "use", "uwire", "var", "vectored",
    "virtual", "void", "wait", "wait_order", "wand", "weak", "weak0", "weak1", "while", "wildcard", "wire", "with", "within", "wor",
    "xnor", "xor",
];

/// Fails unless `name` can stand in the generated text as it is.
pub(crate) fn check_identifier(name: &str) -> Result<()> {
    let mut letters = name.chars();
    let first_is_letter = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
    if !first_is_letter || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        bail!("`{name}` is not a Verilog identifier: letters, digits and `_`, first a letter");
    }
    if RESERVED.binary_search(&name).is_ok() {
        bail!("`{name}` is a reserved word of Verilog or SystemVerilog; choose another name");
    }
    if name.ends_with("self") {
        bail!("`{name}` ends in `self`, which rust-hdl's kernel parser would cut out of the name");
    }
    Ok(())
}

/// `EnteringSleep` -> `ENTERING_SLEEP`, `idle_max` -> `IDLE_MAX`.
pub(crate) fn upper_snake(name: &str) -> String {
    let mut text = String::new();
    let mut after_lower = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_lower {
            text.push('_');
        }
        after_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        text.push(letter.to_ascii_uppercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_reserved_words_is_sorted() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn names_of_variants_become_upper_case_words() {
        assert_eq!(upper_snake("EnteringSleep"), "ENTERING_SLEEP");
        assert_eq!(upper_snake("idle_max"), "IDLE_MAX");
        assert_eq!(upper_snake("S3"), "S3");
    }
}
