//! SystemRDL through the pinned compiler: what it understands of a good file, and how it refuses bad ones.

use powar_tools::{RdlField, RdlRegister, ToolError, compile_systemrdl, pinned_tools_or_skip, run};
use std::fs;
use std::path::{Path, PathBuf};

const TINY: &str = "\
addrmap tiny {
    default regwidth = 32;
    reg {
        field { sw = rw; hw = r; } enable[0:0] = 1;
        field { sw = r; hw = w; } state[9:8];
    } control @ 0x10;
    reg { field { sw = r; } count[31:0]; } counter[2] @ 0x20 += 8;
};
";

fn written(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("tiny.rdl");
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn registers_and_fields_are_understood() {
    let Some(tools) = pinned_tools_or_skip("registers_and_fields_are_understood") else { return };
    let folder = tempfile::tempdir().unwrap();
    let registers = compile_systemrdl(&tools, &written(folder.path(), TINY)).unwrap();
    let field = |name: &str, low, width, software: &str, reset| RdlField {
        name: name.into(),
        low,
        width,
        software: software.into(),
        reset,
    };
    let register = |path: &str, address, fields| RdlRegister { path: path.into(), address, bytes: 4, fields };
    let expected = [
        register("control", 0x10, vec![field("enable", 0, 1, "rw", Some(1)), field("state", 8, 2, "r", None)]),
        register("counter[0]", 0x20, vec![field("count", 0, 32, "r", None)]),
        register("counter[1]", 0x28, vec![field("count", 0, 32, "r", None)]),
    ];
    assert_eq!(registers, expected);
}

#[test]
fn what_is_broken_is_refused_with_its_line() {
    let Some(tools) = pinned_tools_or_skip("what_is_broken_is_refused_with_its_line") else { return };
    let folder = tempfile::tempdir().unwrap();
    let broken = [
        // A missing semicolon stops the parser, two fields on one bit the elaboration.
        ("sw = rw; hw", "sw = rw hw", "tiny.rdl:4:25: error: missing ';' at 'hw'"),
        ("state[9:8];", "state[1:0];", "tiny.rdl:5:35: error: Field 'state[1:0]' overlaps with field 'enable[0:0]'"),
    ];
    for (sound, instead, expected) in broken {
        assert!(TINY.contains(sound));
        let file = written(folder.path(), &TINY.replace(sound, instead));
        let error = compile_systemrdl(&tools, &file).unwrap_err();
        assert!(matches!(error, ToolError::Failed { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(expected) && text.lines().count() == 1, "{text}");
    }
    let absent = compile_systemrdl(&tools, &folder.path().join("absent.rdl")).unwrap_err().to_string();
    assert!(absent.contains("absent.rdl") && absent.contains("No such file"), "{absent}");
}

#[test]
fn a_script_runs_with_the_pinned_packages_and_its_arguments() {
    let Some(tools) = pinned_tools_or_skip("a_script_runs_with_the_pinned_packages_and_its_arguments") else { return };
    let script = "import sys, systemrdl, importlib.metadata as m; print(m.version('systemrdl-compiler'), sys.argv[1:])";
    let said = run(tools.python(script).unwrap().arg("one two"), "a script").unwrap().stdout;
    assert_eq!(said.trim_end(), "1.33.0 ['one two']");
    let error = run(&mut tools.python("raise ValueError('no')").unwrap(), "a script").unwrap_err().to_string();
    assert!(error.contains("ValueError: no"), "{error}");
}
