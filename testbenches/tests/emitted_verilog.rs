//! The Verilog of the presets: the committed files are current, all others are what their checksums say, and accepted without a warning.

use crate::effort::is_long;
use powar_config::mechanism::{self, e_rapid, soteriou_peh};
use powar_config::{Config, Prefix, Routing, SwitchConfig, presets, registers, routing};
use powar_hdl::verilog::Design;
use powar_testbenches::mechanisms::{Variant, variants};
use powar_testbenches::test_switches::{self, TestSwitch};
use powar_testbenches::twins;
use powar_tools::{FILE_LIST, Tools, run, tools_or_skip};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The presets whose Verilog is committed, as examples; of the others a checksum is ([`CHECKSUMS`]).
const COMMITTED: [&str; 2] = ["fat-tree-4", "fat-tree-8"];
/// Those whose controllers are emitted with every mechanism.
const OF_EACH_MECHANISM: [&str; 3] = ["fat-tree-4", "fat-tree-8", "torus-28"];

/// A design of a preset.
struct Emitted {
    preset: &'static str,
    /// The preset, or the same with another mechanism.
    config: Config,
    top: &'static str,
}

/// The controller of every preset, and the switch of some, as they are.
fn all() -> impl Iterator<Item = Emitted> {
    with_each_mechanism().filter(|emitted| emitted.is_preset())
}

/// The same, with every mechanism that is for them: the controllers of some presets, and of the switches the first. What a mechanism adds to a larger
/// one is in the controller of that size as well; in the long form all are there with each.
fn with_each_mechanism() -> impl Iterator<Item = Emitted> {
    let switches = ["fat-tree-4", "fat-tree-8", "fat-tree-8-fpga", "star-16", "torus-28"];
    let controllers = presets::ALL.iter().map(|preset| (preset.name, twins::CONTROLLER));
    let of_presets =
        controllers.chain(switches.map(|preset| (preset, twins::SWITCH))).flat_map(move |(preset, top)| {
            let variants = variants(&presets::by_name(preset).expect("a preset")).into_iter();
            let is_for_each = top == twins::CONTROLLER && OF_EACH_MECHANISM.contains(&preset);
            let every = is_long() || is_for_each || preset == switches[0];
            let emitted = variants.map(move |Variant { config, .. }| Emitted { preset, config, top });
            emitted.filter(move |emitted| every || emitted.is_preset())
        });
    of_presets
        .chain(with_other_routing())
        .chain(grids_with_links_off())
        .chain([torus_with_a_limit(), table_with_a_limit()])
        .chain(boards())
        .chain(crossings())
}

/// Switches of meshes and tori whose links go off and on, with each routing that goes round them.
fn grids_with_links_off() -> impl Iterator<Item = Emitted> {
    let grids = [TestSwitch::Stairs, TestSwitch::Streets, TestSwitch::LastTurns].map(test_switches::config);
    let with_each = grids.into_iter().flat_map(|config| variants(&config));
    let counts_on_graphs = with_each.filter(|variant| variant.config.mechanism().name == soteriou_peh::MECHANISM.name);
    counts_on_graphs.map(|Variant { config, .. }| Emitted { preset: "grid", config, top: twins::SWITCH })
}

/// The switch of a torus whose nodes wait for room, with POWAR.
fn torus_with_a_limit() -> Emitted {
    Emitted { preset: "torus", config: test_switches::config(TestSwitch::LongTorus), top: twins::SWITCH }
}

/// A switch that goes by a table and is told which ports lead to nodes, with POWAR.
fn table_with_a_limit() -> Emitted {
    Emitted { preset: "table", config: test_switches::config(TestSwitch::LimitedTable), top: twins::SWITCH }
}

/// The switch of a board, with the first mechanism and with wavelengths that change hands.
fn boards() -> impl Iterator<Item = Emitted> {
    let config = Config::of_network("boards-3x2").expect("a network");
    let with_each = variants(&config).into_iter().map(|variant| variant.config);
    let of_boards =
        with_each.filter(|config| [mechanism::ALL[0].name, e_rapid::MECHANISM.name].contains(&config.mechanism().name));
    of_boards.map(|config| Emitted { preset: "boards", config, top: twins::SWITCH })
}

/// Links between two clocks: the smallest queue and a deep one, few virtual channels and many.
fn crossings() -> impl Iterator<Item = Emitted> {
    let crossing = |vcs, crossing_entries, flit_bits| {
        let of_preset = presets::by_name("fat-tree-4").expect("a preset");
        let switch = SwitchConfig { vcs, buffer_flits: 32 * vcs, crossing_entries, flit_bits, ..of_preset.switch };
        let name = format!("crossing-{vcs}-{crossing_entries}-{flit_bits}");
        Emitted { preset: "fat-tree-4", config: Config { name, switch, ..of_preset }, top: "link_crossing" }
    };
    [crossing(1, 8, 32), crossing(4, 16, 128), crossing(5, 2048, 64)].into_iter()
}

/// Switches with a routing, or with a number of virtual channels, that no preset has.
fn with_other_routing() -> impl Iterator<Item = Emitted> {
    let switch = |preset, routing: &'static Routing, vcs| {
        let of_preset = presets::by_name(preset).expect("a preset");
        let switch = SwitchConfig { vcs, buffer_flits: 32 * vcs, ..of_preset.switch };
        let name = format!("{preset}-{}-{vcs}", routing.name);
        let config = Config { name, routing: Some(routing), deterministic: routing.deterministic, switch, ..of_preset };
        Emitted { preset, config, top: twins::SWITCH }
    };
    let least = |vcs| switch("fat-tree-4", &routing::least_occupied::ROUTING, vcs);
    [
        least(3),
        least(4),
        switch("fat-tree-4", &routing::fat_tree::ROUTING, 3),
        switch("star-16", &routing::star::ROUTING, 5),
    ]
    .into_iter()
}

/// What else `powar emit` writes for designs of others.
fn small_tops() -> impl Iterator<Item = Emitted> {
    presets::ALL.iter().flat_map(|preset| {
        let config = presets::by_name(preset.name).expect("a preset");
        let tops = ["selector", twins::NETWORK_INTERFACE, "link_stage", "link_crossing"].into_iter();
        let demonstrator = registers::demonstrator::check(&config).is_ok().then_some(twins::DEMONSTRATOR);
        tops.chain(demonstrator)
            .map(move |top| Emitted { preset: preset.name, config: config.clone(), top })
            .collect::<Vec<_>>()
    })
}

fn committed() -> impl Iterator<Item = Emitted> {
    all().filter(|emitted| COMMITTED.contains(&emitted.preset))
}

/// Where the committed Verilog is: the controller in a folder of the preset's name, the switch in one in it.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../hdl/verilog");

impl Emitted {
    /// Below [`FOLDER`].
    fn folder(&self) -> PathBuf {
        let folder = Path::new(FOLDER).join(self.preset);
        if self.top == twins::SWITCH { folder.join("switch") } else { folder }
    }

    /// The command that writes it.
    fn command(&self) -> String {
        let top = if self.top == twins::SWITCH { ("--top switch ", "/switch") } else { ("", "") };
        format!(
            "cargo run --release -- emit {}--preset {p} --force --out hdl/verilog/{p}{}",
            top.0,
            top.1,
            p = self.preset
        )
    }

    /// It is a preset as it is.
    fn is_preset(&self) -> bool {
        self.config.name == self.preset
    }

    fn prefix(&self) -> Prefix {
        Prefix::of(&self.config).expect("a name that is not long")
    }

    /// The name of the top module.
    fn module(&self) -> String {
        self.prefix().before(self.top)
    }

    fn design(&self) -> Design {
        twins::prefixed_design(&self.config, self.top, self.prefix()).expect("a sound design")
    }

    /// Names and texts as `powar emit` writes them.
    fn files(&self) -> Vec<(String, String)> {
        let (config, design) = (&self.config, self.design());
        let mut files = design.files();
        files.push(design.core(&config.name).file());
        files.push(design.ip_xact(&config.name));
        files.push(("config.toml".into(), config.to_toml()));
        if self.top == twins::SWITCH {
            files.extend(registers::files(config, &self.prefix()));
        }
        files
    }

    /// The design in a folder of its own, as a tool is to read it, and its Verilog files in order. The pinned tools see their working
    /// folder alone.
    fn written(&self, test: &str) -> (PathBuf, Vec<String>) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(&self.config.name).join(self.top);
        fs::create_dir_all(&folder).expect("a folder for the test");
        for (name, text) in self.files() {
            fs::write(folder.join(name), text).expect("written");
        }
        let list = fs::read_to_string(folder.join(format!("{}.f", self.module()))).expect("the file list");
        (folder, list.lines().map(str::to_string).collect())
    }
}

/// Names in a folder, sorted.
fn names_in(folder: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a plain name");
    let mut names: Vec<String> =
        fs::read_dir(folder).expect("the folder is there").map(|entry| name(entry.expect("readable"))).collect();
    names.sort();
    names
}

#[test]
fn the_committed_verilog_is_what_the_rust_sources_give() {
    for emitted in committed() {
        let mut names = vec![];
        for (name, text) in emitted.files() {
            let path = emitted.folder().join(&name);
            let there = fs::read_to_string(&path).unwrap_or_default();
            assert!(there == text, "{} is not current; write it with: {}", path.display(), emitted.command());
            names.push(name);
        }
        for name in names_in(&emitted.folder()).into_iter().filter(|name| name != FILE_LIST) {
            let path = emitted.folder().join(&name);
            assert!(path.is_dir() || names.contains(&name), "{} is left over", path.display());
        }
    }
    let mut expected = vec![CHECKSUMS];
    expected.extend(COMMITTED);
    expected.sort_unstable();
    assert_eq!(names_in(Path::new(FOLDER)), expected);
}

/// Below [`FOLDER`]: a checksum of all files of each design, so that a change of one that is not committed shows, too.
const CHECKSUMS: &str = "designs.sha256";

/// Of the names and texts of a design's files.
fn checksum(files: &[(String, String)]) -> String {
    let mut hash = Sha256::new();
    files.iter().for_each(|(name, text)| hash.update(format!("{name}\0{}\0{text}", text.len())));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_design_is_what_its_checksum_says_and_the_same_when_made_again() {
    let mut lines = String::new();
    for emitted in with_each_mechanism() {
        let files = emitted.files();
        assert!(files == emitted.files(), "{} is another when made again", emitted.module());
        lines += &format!("{}  {} {}\n", checksum(&files), emitted.config.name, emitted.module());
    }
    let path = Path::new(FOLDER).join(CHECKSUMS);
    if std::env::var_os("POWAR_WRITE").is_some() && !is_long() {
        fs::write(&path, &lines).expect("written");
    }
    let listed = fs::read_to_string(&path).expect("the list");
    let changed: Vec<&str> = listed.lines().filter(|line| !lines.lines().any(|of| of == *line)).collect();
    assert!(
        changed.is_empty() && (is_long() || listed == lines),
        "other files than {CHECKSUMS} says, of {changed:#?}; if they are meant to be, write it with: POWAR_WRITE=1 cargo test -p powar-testbenches --test all every_design_is"
    );
}

#[test]
fn no_module_stands_twice_and_no_name_has_a_dollar() {
    for emitted in with_each_mechanism() {
        let design = emitted.design();
        let body = |text: &str| text.split_once(" (").map(|(_, body)| body.to_string());
        for (index, module) in design.modules.iter().enumerate() {
            assert!(!module.text.contains('$'), "{}", module.name);
            let twin = design.modules[..index].iter().find(|other| body(&other.text) == body(&module.text));
            assert!(twin.is_none(), "{} and {} are the same", module.name, twin.map_or("", |twin| &twin.name));
        }
    }
}

/// No top for designs of others has a port or name that is a word of another language; inside, the back end refuses words of Verilog and C++ itself.
#[test]
fn every_top_can_stand_in_a_design_in_another_language() {
    for emitted in with_each_mechanism().chain(small_tops()) {
        emitted.design().check_outside().unwrap_or_else(|error| panic!("{error}"));
    }
}

fn each(test: &str, designs: impl Iterator<Item = Emitted>, check: impl Fn(&Tools, &str, &Path, &[String])) {
    let Some(tools) = tools_or_skip(test) else { return };
    for emitted in designs {
        let (folder, files) = emitted.written(test);
        check(&tools, &emitted.module(), &folder, &files);
    }
}

#[test]
fn verilator_has_no_warning() {
    each("verilator_has_no_warning", with_each_mechanism(), |tools, top, folder, files| {
        let mut verilator = tools.verilator().expect("found");
        verilator.current_dir(folder).args(["--lint-only", "-Wall", "--language", "1364-2005"]);
        verilator.args(["--top-module", top]).args(files);
        let lint = run(&mut verilator, "verilator --lint-only -Wall").unwrap_or_else(|error| panic!("{error}"));
        assert!(!lint.stderr.contains("%Warning"), "{}", lint.stderr);
    });
}

#[test]
fn yosys_finds_no_problem_and_no_latch() {
    // The larger switches take Yosys minutes, and hold no other modules.
    let designs = with_each_mechanism()
        .filter(|design| design.top != twins::SWITCH || ["fat-tree-4", "star-16"].contains(&design.preset));
    each("yosys_finds_no_problem_and_no_latch", designs, |tools, top, folder, files| {
        let script = format!(
            "read_verilog {}; hierarchy -check -top {top}; proc; check -assert; select -assert-none t:$*latch*",
            files.join(" ")
        );
        let mut yosys = tools.yosys().expect("found");
        let log = run(yosys.current_dir(folder).args(["-q", "-p", &script]), "yosys")
            .unwrap_or_else(|error| panic!("{error}"));
        let text = format!("{}{}", log.stdout, log.stderr);
        assert!(!text.contains("Warning"), "{text}");
    });
}

#[test]
fn icarus_reads_it_as_verilog_2005() {
    each("icarus_reads_it_as_verilog_2005", with_each_mechanism(), |tools, top, folder, files| {
        let Some(icarus) = tools.icarus() else {
            return powar_tools::skip("icarus_reads_it_as_verilog_2005", "iverilog is not installed");
        };
        let mut compiler = icarus.compiler();
        compiler.current_dir(folder).args(["-g2005", "-Wall", "-Wno-timescale", "-t", "null", "-s", top]);
        let log = run(compiler.args(files), "iverilog").unwrap_or_else(|error| panic!("{error}"));
        assert!(!log.stderr.contains("warning"), "{}", log.stderr);
    });
}
