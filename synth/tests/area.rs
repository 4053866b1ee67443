//! Area alone, by block. Needs Yosys and nextpnr.

use powar_synth::{Design, Target, area_comparison, measure_area, sizes};
use powar_tools::{Progress, tools_or_skip};

/// A block in a block: two registers of `leaf` in each of two `middle`, and one beside them.
const TREE: &str = "\
module leaf(input clk, input [7:0] a, output reg [7:0] q);
reg [7:0] sum;
always @(posedge clk) begin sum <= a ^ q; q <= a + sum; end
endmodule
module middle(input clk, input [7:0] a, output [7:0] q);
wire [7:0] between;
leaf first(.clk(clk), .a(a), .q(between));
leaf second(.clk(clk), .a(between), .q(q));
endmodule
module tree(input clk, input [7:0] a, output [7:0] q, r);
wire [7:0] between;
middle first(.clk(clk), .a(a), .q(between));
middle second(.clk(clk), .a(~between), .q(q));
leaf beside(.clk(clk), .a(a), .q(r));
endmodule
";

fn tree() -> Design {
    Design::new("tree").source("tree.v", TREE)
}

#[test]
fn the_blocks_of_a_tree_are_counted_on_every_target() {
    let Some(tools) = tools_or_skip("the_blocks_of_a_tree_are_counted_on_every_target") else { return };
    for name in ["ecp5-85f", "ice40-hx8k", "xc7a100t", "gw2a-18", "ccgm1a1", "lifcl-40"] {
        let target = Target::named(name).unwrap();
        let report = measure_area(&tree(), &target, &tools, &Progress::silent()).unwrap();
        let instances = |block: &str| report.blocks.iter().find(|row| row.block == block).unwrap().instances;
        assert_eq!((instances("leaf"), instances("middle"), instances("tree")), (5, 2, 1), "{name}");
        let leaf = report.blocks.iter().find(|row| row.block == "leaf").unwrap();
        assert_eq!((leaf.own.ff, leaf.all.ff, report.sum_of_blocks().ff), (16, 80, 80), "{name}");
        assert_eq!(leaf.with_blocks, leaf.own, "{name}");
        let top = report.blocks.iter().find(|row| row.block == "tree").unwrap();
        assert_eq!(top.with_blocks, report.sum_of_blocks(), "{name}");
        assert!(leaf.own.carry > 0 && leaf.own.area >= 8, "{name}: {leaf:?}");
        // An inverter between blocks is gone once the blocks are one; some eight look-up tables are left of each sum.
        assert_eq!((report.whole.ff, report.packed), (80, target.check_placeable().is_ok()), "{name}");
        assert!(report.whole.area >= 40 && report.whole.area <= 200, "{name}: {:?}", report.whole);
    }
}

#[test]
fn several_chips_are_set_beside_each_other() {
    let Some(tools) = tools_or_skip("several_chips_are_set_beside_each_other") else { return };
    let leaf = || Design::new("leaf").source("tree.v", TREE);
    let measure = |design: Design, name: &str| {
        measure_area(&design, &Target::named(name).unwrap(), &tools, &Progress::silent()).unwrap()
    };
    // The second design is measured on one of them only.
    let reports = [measure(tree(), "gw2a-18"), measure(tree(), "lifcl-40"), measure(leaf(), "lifcl-40")];
    let table = area_comparison(&reports);
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = table.lines().map(cells).collect();
    let header = ["block", "GW2A-18: LUT4s with ALUs", "FF", "RAMs", "LIFCL-40: half-slices", "FF", "RAMs"];
    assert_eq!(rows[0][1..8], header);
    let blocks: Vec<&str> = reports[0].blocks.iter().map(|row| row.block.as_str()).collect();
    let names: Vec<String> = rows[2..].iter().map(|row| row[1].clone()).collect();
    let of_blocks = blocks.iter().map(|block| format!("`{block}`"));
    let expected = std::iter::once("`tree` as a whole".into()).chain(of_blocks).chain(["`leaf` as a whole".into()]);
    assert_eq!(names, expected.collect::<Vec<String>>());
    let block = |report: usize, name: &str| {
        let found = reports[report].blocks.iter().find(|row| row.block == name).unwrap().with_blocks;
        [found.area, found.ff, found.block_ram].map(|count| count.to_string())
    };
    for (row, name) in rows[3..].iter().zip(blocks) {
        assert_eq!(row[2..8], [block(0, name), block(1, name)].concat(), "{table}");
    }
    assert_eq!(rows[2][2], reports[0].whole.area.to_string());
    assert_eq!(rows[6][2..8], ["", "", "", &reports[2].whole.area.to_string(), "16", "0"], "{table}");
}

#[test]
fn several_blocks_have_a_row_each() {
    let Some(tools) = tools_or_skip("several_blocks_have_a_row_each") else { return };
    let measure = |top: &str, chip: &str| {
        let design = Design::new(top).source("tree.v", TREE);
        measure_area(&design, &Target::named(chip).unwrap(), &tools, &Progress::silent()).unwrap()
    };
    let reports = ["leaf", "middle"].map(|top| measure(top, "ecp5-85f"));
    let row = |number: usize| {
        let (report, wiring) = (&reports[number], reports[number].wiring.as_ref().unwrap());
        let counts = [report.whole.area, report.whole.ff, 0, wiring.carry_cells, wiring.hops];
        format!("| `{}` |{}", report.module, counts.map(|count| format!(" {count} |")).concat())
    };
    let table = sizes(&reports);
    let rows: Vec<String> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(rows[0], "| block | half-slices | flip-flops | block RAMs | carry cells | hops |");
    assert_eq!(rows[2..], [row(0), row(1)], "{table}");
    assert!(reports[1].wiring.as_ref().unwrap().hops > 0 && reports[0].whole.area < reports[1].whole.area);
    // Hops are not counted on this one.
    let other = sizes(&[measure("leaf", "gw2a-18")]);
    let last = other.lines().last().unwrap().split_whitespace().rev().take(4).collect::<Vec<_>>();
    assert_eq!(last, ["|", "-", "|", "-"], "{other}");
}

#[test]
fn the_report_has_a_table_a_plot_and_what_is_needed_to_do_it_again() {
    let Some(tools) = tools_or_skip("the_report_has_a_table_a_plot_and_what_is_needed_to_do_it_again") else { return };
    let measure = || measure_area(&tree(), &Target::named("ecp5-85f").unwrap(), &tools, &Progress::silent()).unwrap();
    let report = measure();
    assert_eq!(report, measure(), "the same input gives the same report");
    let folder = tempfile::tempdir().unwrap();
    let written = report.write(folder.path()).unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!((&json["area_unit"], &json["blocks"][0]["block"]), (&"half-slices".into(), &"leaf".into()));
    assert_eq!(json["blocks"][0]["all"]["area"], report.blocks[0].own.area * 5);
    let markdown = read("report.md");
    for part in ["# Area of tree on LFE5U-85F", "| `leaf` ", "| sum ", "yosys by-block.ys"] {
        assert!(markdown.contains(part), "{part} is missing in\n{markdown}");
    }
    let hops =
        format!("Before anything is placed, of the module as a whole: **{} hops", report.wiring.as_ref().unwrap().hops);
    assert!(markdown.contains(&hops), "{hops} is missing in\n{markdown}");
    assert_eq!(json["wiring"]["hops"], report.wiring.as_ref().unwrap().hops);
    assert_eq!(json["blocks"][0]["wiring"]["carry_cells"], report.blocks[0].own.carry);
    let terminal = report.terminal();
    assert!(terminal.lines().all(|line| line.chars().count() <= 80), "{terminal}");
    assert!(terminal.contains("\nas a whole ") && terminal.contains("\nleaf "), "{terminal}");
    let svg = read("area.svg");
    for part in ["half-slices by block", ">leaf<", &format!("5 × {} =", report.blocks[0].own.area)] {
        assert!(svg.contains(part), "{part} is missing in\n{svg}");
    }
    assert!(std::fs::read(&written[3]).unwrap().starts_with(b"\x89PNG"));

    // By hand, in a folder that the tools may read: the same netlist.
    let again = tempfile::tempdir().unwrap();
    for path in &written[4..] {
        std::fs::copy(path, again.path().join(path.file_name().unwrap())).unwrap();
    }
    let mut yosys = tools.yosys().unwrap();
    powar_tools::run(yosys.current_dir(&again).args(["-q", "synthesis.ys"]), "synthesis by hand").unwrap();
    let text = std::fs::read(again.path().join("core.stat.json")).unwrap();
    let statistics: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(statistics["design"]["num_cells_by_type"]["TRELLIS_FF"], report.whole.ff);
    assert_eq!(statistics["design"]["num_cells_by_type"]["LUT4"], report.whole.lut);
}

#[test]
fn capacities_are_those_nextpnr_knows() {
    let Some(tools) = tools_or_skip("capacities_are_those_nextpnr_knows") else { return };
    let folder = tempfile::tempdir().unwrap();
    let verilog = "module m(input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule\n";
    std::fs::write(folder.path().join("m.v"), verilog).unwrap();
    let known = [
        ("ecp5-12f", "--12k", ["TRELLIS_COMB", "TRELLIS_FF", "DP16KD"]),
        ("ecp5-45f", "--45k", ["TRELLIS_COMB", "TRELLIS_FF", "DP16KD"]),
        ("ecp5-85f", "--85k", ["TRELLIS_COMB", "TRELLIS_FF", "DP16KD"]),
        ("ice40-hx8k", "--hx8k", ["ICESTORM_LC", "ICESTORM_LC", "ICESTORM_RAM"]),
    ];
    for (name, flag, cells) in known {
        let (family, mut nextpnr) = match name.starts_with("ice40") {
            true => ("ice40", tools.nextpnr_ice40().unwrap()),
            false => ("ecp5", tools.nextpnr_ecp5().unwrap()),
        };
        let script = format!("read_verilog m.v; synth_{family} -top m -json m.json");
        powar_tools::run(tools.yosys().unwrap().current_dir(&folder).args(["-q", "-p", &script]), "synthesis").unwrap();
        let files = ["--pack-only", "--json", "m.json", "--report", "m.report.json"];
        powar_tools::run(nextpnr.current_dir(&folder).arg(flag).args(files), "packing").unwrap();
        let text = std::fs::read(folder.path().join("m.report.json")).unwrap();
        let report: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let has = cells.map(|cell| report["utilization"][cell]["available"].as_u64().unwrap());
        let capacity = Target::named(name).unwrap().capacity();
        assert_eq!([capacity.area, capacity.ff, capacity.block_ram], has, "{name}");
        if family == "ecp5" {
            let dsp = ["MULT18X18D", "ALU54B"].map(|cell| report["utilization"][cell]["available"].as_u64().unwrap());
            assert_eq!(capacity.dsp, dsp.iter().sum::<u64>(), "{name}");
        }
    }
}
