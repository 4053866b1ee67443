//! Verilog becomes a shared library once, and several live in one process without mixing.

use libloading::{Library, Symbol};
use powar_tools::{Progress, Surroundings, ToolError, Tools, VerilatedLibrary, tools_or_skip};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

const SHIM: &str = r#"
#include "Vmodel.h"
#include "verilated.h"
struct Model { VerilatedContext context; Vmodel top{&context, "top"}; };
extern "C" Model* model_new() { return new Model; }
extern "C" void model_free(Model* model) { delete model; }
extern "C" unsigned model_cycle(Model* model, unsigned reset) {
    model->top.rst = reset;
    model->top.clk = 1; model->top.eval();
    model->top.clk = 0; model->top.eval();
    return model->top.count;
}
"#;

/// A counter; the parameter makes models that differ although their classes have the same names.
fn counter(step: u32) -> VerilatedLibrary {
    let verilog = "module counter #(parameter [7:0] STEP = 1)(input clk, input rst, output reg [7:0] count);\n\
                   always @(posedge clk) count <= rst ? 8'd0 : count + STEP;\nendmodule\n";
    VerilatedLibrary::new("counter").source("counter.v", verilog).shim(SHIM).argument(format!("-GSTEP=8'd{step}"))
}

/// The pinned tools, with a folder for what is built that is empty when a run of the tests begins; the same for all of them, because each
/// folder needs Verilator's run time, which takes longest to compile. A runner may give each test a process of its own: then the folder has
/// the name of its run, and whoever makes it takes away those of earlier ones.
fn fresh_tools(test: &str) -> Option<Tools> {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let run = std::env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| std::process::id().to_string());
        let (all, own) = (Path::new(env!("CARGO_TARGET_TMPDIR")), format!("verilated-library-tests-{run}"));
        for old in fs::read_dir(all).unwrap().map(|entry| entry.unwrap()) {
            let name = old.file_name().into_string().unwrap();
            if name.starts_with("verilated-library-tests-") && name != own {
                // Another test of this run may be faster.
                let _ = fs::remove_dir_all(old.path());
            }
        }
        all.join(own)
    });
    Some(tools_or_skip(test)?.with_folder(&*FOLDER))
}

#[test]
fn two_models_count_side_by_side() {
    let Some(tools) = fresh_tools("two_models_count_side_by_side") else { return };
    let libraries: Vec<Library> = [1, 3]
        .map(|step| counter(step).build(&tools, &Progress::silent()).unwrap())
        .map(|path| unsafe { Library::new(path) }.unwrap())
        .into();
    unsafe {
        type New = unsafe extern "C" fn() -> *mut u8;
        type Cycle = unsafe extern "C" fn(*mut u8, u32) -> u32;
        type Free = unsafe extern "C" fn(*mut u8);
        let models: Vec<*mut u8> =
            libraries.iter().map(|library| library.get::<New>(b"model_new").unwrap()()).collect();
        for cycle in 0..300_u32 {
            for (index, (library, &model)) in libraries.iter().zip(&models).enumerate() {
                let step: Symbol<Cycle> = library.get(b"model_cycle").unwrap();
                assert_eq!(step(model, u32::from(cycle == 0)), cycle * [1, 3][index] % 256);
            }
        }
        for (library, &model) in libraries.iter().zip(&models) {
            library.get::<Free>(b"model_free").unwrap()(model);
            assert!(library.get::<New>(b"_ZN6VmodelC1EPKc").is_err(), "C++ stays inside");
        }
    }
}

/// GCC 12 turns a sum of comparisons of neighbouring bytes into one of vector masks, in which true is -1, and says -4 where the Verilog says 4. It was
/// seen of `in_ports` of Soteriou and Peh's mechanism in a torus; other compilers' SLP vectorizers have had such bugs, too.
#[test]
fn sums_of_comparisons_are_what_the_verilog_says() {
    let Some(tools) = fresh_tools("sums_of_comparisons_are_what_the_verilog_says") else { return };
    let verilog = "module sums(input clk, input rst, input [2:0] a, input [2:0] b, input [2:0] c, input [2:0] d,\n\
                   output reg [6:0] count);\n\
                   wire [11:0] all = {d, c, b, a};\n\
                   reg [6:0] sum;\n\
                   integer p;\n\
                   always @* begin\n\
                   sum = 7'd0;\n\
                   for (p = 0; p < 4; p = p + 1) begin\n\
                   sum = sum + {6'd0, (all[p*3 +: 3] == 3'd0) | (all[p*3 +: 3] == 3'd5)};\n\
                   end\nend\n\
                   always @(posedge clk) count <= rst ? 7'd0 : sum;\nendmodule\n";
    let inputs = "model->top.a = model->top.b = model->top.c = model->top.d = reset ? 1 : 5;";
    let shim = SHIM.replace("model->top.rst", &format!("{inputs}\n    model->top.rst"));
    let library = VerilatedLibrary::new("sums").source("sums.v", verilog).shim(shim).argument("-Wno-fatal");
    let library = library.build(&tools.for_long_runs(), &Progress::silent()).unwrap();
    let library = unsafe { Library::new(library) }.unwrap();
    unsafe {
        let model = library.get::<unsafe extern "C" fn() -> *mut u8>(b"model_new").unwrap()();
        let cycle = library.get::<unsafe extern "C" fn(*mut u8, u32) -> u32>(b"model_cycle").unwrap();
        assert_eq!([cycle(model, 1), cycle(model, 0)], [0, 4]);
        library.get::<unsafe extern "C" fn(*mut u8)>(b"model_free").unwrap()(model);
    }
}

#[test]
fn nothing_is_built_twice() {
    let Some(tools) = fresh_tools("nothing_is_built_twice") else { return };
    let first = counter(5).build(&tools, &Progress::silent()).unwrap();
    let written = fs::metadata(&first).unwrap().modified().unwrap();
    let start = Instant::now();
    let second = counter(5).build(&tools, &Progress::silent()).unwrap();
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!((&first, written), (&second, fs::metadata(&second).unwrap().modified().unwrap()));
    assert_ne!(counter(7).build(&tools, &Progress::silent()).unwrap(), first);
    assert!(first.parent().unwrap().join("counter.v").is_file(), "the source stays for the reader");
}

#[test]
fn wrong_verilog_is_one_line_and_leaves_no_library() {
    let Some(tools) = fresh_tools("wrong_verilog_is_one_line_and_leaves_no_library") else { return };
    let wrong = VerilatedLibrary::new("wrong").source("wrong.v", "module wrong(input a); assign b = a\nendmodule\n");
    let error = wrong.shim(SHIM).build(&tools, &Progress::silent()).unwrap_err();
    assert!(matches!(error, ToolError::Failed { .. }));
    let text = error.to_string();
    assert!(text.lines().count() == 1 && text.contains("wrong.v:2:1: syntax error"), "{text}");
    let fine =
        VerilatedLibrary::new("wrong").source("fine.v", "module wrong(input a, output b); assign b = a; endmodule\n");
    let error = fine.shim("int x").build(&tools, &Progress::silent()).unwrap_err().to_string();
    assert!(error.contains("shim.cpp:1:") && error.contains("error: "), "{error}");
    let left = fs::read_dir(tools.folder().join("verilated")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter_map(|name| name.into_string().ok()).filter(|name| name.contains("wrong-")).collect();
    assert!(!left.is_empty() && left.iter().all(|name| name.ends_with(".log")), "{left:?}");
}

#[test]
fn without_a_compiler_one_line_says_so() {
    let Some(tools) = tools_or_skip("without_a_compiler_one_line_says_so") else { return };
    let mut surroundings = Surroundings::from_environment();
    surroundings.folder = tools.folder().to_path_buf();
    surroundings.search_path = "/nowhere".into();
    let tools = Tools::locate_in(surroundings).unwrap();
    let error = counter(77).build(&tools, &Progress::silent()).unwrap_err();
    assert!(matches!(&error, ToolError::Missing { what, .. } if what == "c++"), "{error}");
}
