//! The register map: no two words overlap, what is generated from it agrees with it, and the committed page is current.

use powar_config::registers::{self, Access, RegisterOwner, lookup, registers};
use powar_config::routing::table::NODE_PORTS;
use powar_config::routing::tables::TableRow;
use powar_config::{Config, Mechanism, Prefix, mechanism, presets};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

fn configs() -> Vec<Config> {
    presets::ALL.iter().map(|preset| preset.config()).collect()
}

/// The switch with the largest tables: 64 ports, 8 VCs, addresses of 16 bits.
fn with_tables() -> Config {
    let mut config = Config::of_network("mesh-32x32-nodes60").expect("a network");
    config.route_by(&powar_config::routing::table_limited::ROUTING);
    config.switch.vcs = 8;
    config
}

#[test]
fn every_address_is_one_register_or_none() {
    for config in configs().into_iter().chain([with_tables()]) {
        let list = registers(&config);
        let of_routing = if config == with_tables() { 6 } else { 0 };
        assert_eq!(list.len(), 4 + of_routing + 10 + 13 * config.ports);
        assert!(list.windows(2).all(|pair| pair[0].address < pair[1].address), "addresses rise");
        let known: BTreeMap<u16, RegisterOwner> =
            list.iter().map(|register| (register.address, register.owner)).collect();
        for address in 0..=u16::MAX {
            let found = lookup(address, &config).map(|register| register.owner);
            assert_eq!(found, known.get(&address).copied(), "{}: {address:#06x}", config.name);
            assert!(found.is_none() || address % registers::WORD_BYTES == 0);
        }
    }
}

fn word_lists() -> Vec<Vec<registers::Word>> {
    let of = |mechanism: &'static Mechanism| [mechanism.words.to_vec(), registers::port_words(mechanism)];
    [registers::SWITCH.to_vec(), registers::routing_words(&with_tables())]
        .into_iter()
        .chain(mechanism::ALL.into_iter().flat_map(of))
        .collect()
}

#[test]
fn names_and_fields_are_sound() {
    for words in word_lists() {
        let names: BTreeSet<&str> = words.iter().map(|word| word.name).collect();
        assert_eq!(names.len(), words.len());
        for word in &words {
            assert!(!word.doc.is_empty() && !word.doc.contains(['\n', '|']), "{}: one line", word.name);
            let all = word.fields.iter().fold(0, |seen, field| {
                assert_eq!(seen & field.mask(), 0, "{}: `{}` overlaps", word.name, field.name);
                seen | field.mask()
            });
            assert!(word.fields.is_empty() || all == word.mask(), "{}: the fields are all its bits", word.name);
        }
    }
}

#[test]
fn words_of_a_routing_lie_in_its_window() {
    for (vcs, ports, last_bits, node_words) in
        [(8, 64, 22, 2), (4, 8, 19, 1), (4, 19, 32, 1), (1, 31, 6, 1), (1, 33, 9, 2)]
    {
        let mut config = Config { ports, ..with_tables() };
        config.switch.vcs = vcs;
        let words = registers::routing_words(&config);
        assert!(words.iter().all(|word| (0x0010..0x0040).contains(&word.offset) && word.offset % 4 == 0));
        assert_eq!((words[0].name, words[0].bits), ("table_row", 16));
        let (of_row, of_ports): (Vec<&registers::Word>, Vec<&registers::Word>) =
            words[1..].iter().partition(|word| word.offset < NODE_PORTS);
        assert_eq!(of_row.last().unwrap().bits, last_bits, "{ports} ports");
        let bits = |words: &[&registers::Word]| words.iter().map(|word| word.bits).sum::<u32>() as usize;
        assert_eq!((bits(&of_row), bits(&of_ports)), (TableRow::bits(ports, vcs), ports));
        assert_eq!((of_ports[0].offset, of_ports.len()), (NODE_PORTS, node_words));
    }
}

#[test]
fn words_of_a_mechanism_lie_in_its_window() {
    for mechanism in mechanism::ALL {
        for word in mechanism.words {
            assert!((0x0040..registers::PORT_BASE).contains(&word.offset) && word.offset % 4 == 0, "{}", word.name);
            assert_eq!(registers::mechanism_address(mechanism, word.name), word.offset);
            // What software can't write are counts of what has happened; what it can is configured, or counts.
            let counts = matches!(word.reset, registers::Reset::Value(0));
            let is_configured = matches!(word.reset, registers::Reset::OfMechanism);
            assert!(counts || is_configured && word.access == Access::ReadWrite, "{}", word.name);
        }
        let last = *registers::port_words(mechanism).last().expect("words");
        assert!(last.offset < registers::port_stride(mechanism), "a port fits into its stride");
    }
}

#[test]
fn reset_values_fit_and_come_from_the_configuration() {
    for config in configs() {
        for register in registers(&config) {
            let value = register.word.reset_value(&config);
            assert_eq!(value & !register.word.mask(), 0, "{}: {value:#x}", register.word.name);
        }
        let reset = |address| lookup(address, &config).expect("there").word.reset_value(&config);
        assert_eq!(reset(0x0000).to_be_bytes(), *b"POWA");
        assert_eq!(reset(0x0004) & 0xFF, config.ports as u32);
        assert_eq!(reset(0x0044), config.powar().unwrap().values(config.cycle_ns).pdt);
    }
    let fat_tree = presets::by_name("fat-tree-8").unwrap();
    let reset = |address| lookup(address, &fat_tree).expect("there").word.reset_value(&fat_tree);
    assert_eq!((reset(0x0004), reset(0x0008)), (0x04_04_10, 0x0010_0100));
    assert_eq!((reset(0x0054), reset(0x1030)), (1800, 0x380));
}

#[test]
fn the_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/registers.md");
    let text = registers::markdown(&[&with_tables()], &mechanism::ALL);
    if std::env::var_os("POWAR_WRITE").is_some() {
        std::fs::write(&path, &text).expect("written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    let how = "POWAR_WRITE=1 cargo test -p powar-config --test all registers";
    assert!(there == text, "docs/registers.md is not current; write it with: {how}");
}

/// The value of every `#define NAME VALUE` as the C compiler sees it: compiles, with a program that prints them, and runs it.
#[test]
fn the_c_header_compiles_and_says_the_same() {
    if Command::new("cc").arg("--version").output().is_err() {
        return powar_tools::skip("the_c_header_compiles_and_says_the_same", "cc is not installed");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = presets::by_name("torus-28").unwrap();
    config.name = "a */ switch /* with \\ odd ??/ name".into();
    std::fs::write(folder.path().join("powar.h"), registers::c_header(&config, &Prefix::NONE)).expect("written");
    let mut program = String::from("#include <stdio.h>\n#include \"powar.h\"\nint main(void) {\n");
    let mut expected = String::new();
    for register in registers(&config) {
        let name = register.word.name.to_uppercase();
        let (of, stem) = match register.owner {
            RegisterOwner::Counter { port, .. } | RegisterOwner::Status { port } => {
                (format!("({port}u)"), format!("POWAR_PORT_{name}"))
            }
            _ => (String::new(), format!("POWAR_{name}")),
        };
        program += &format!("printf(\"%u %u\\n\", {stem}{of}, {stem}_RESET);\n");
        expected += &format!("{} {}\n", register.address, register.word.reset_value(&config));
    }
    program += "return 0;\n}\n";
    std::fs::write(folder.path().join("main.c"), program).expect("written");
    for standard in ["-std=c89", "-std=c11"] {
        let mut compiler = Command::new("cc");
        compiler.current_dir(folder.path()).args(["-Wall", "-Wextra", "-pedantic", "-Werror", standard]);
        let log = compiler.args(["-o", "main", "main.c"]).output().expect("cc runs");
        assert!(log.status.success(), "{}", String::from_utf8_lossy(&log.stderr));
        let run = Command::new(folder.path().join("main")).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&run.stdout), expected);
    }
}

/// Whether C that includes these headers compiles, and what the compiler says.
fn compiles(headers: &[String]) -> Option<(bool, String)> {
    if Command::new("cc").arg("--version").output().is_err() {
        powar_tools::skip("a test of C headers", "cc is not installed");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = String::new();
    for (number, header) in headers.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{number}.h")), header).expect("written");
        program += &format!("#include \"{number}.h\"\n");
    }
    std::fs::write(folder.path().join("all.c"), program + "int nothing;\n").expect("written");
    let mut compiler = Command::new("cc");
    compiler.current_dir(folder.path()).args(["-Wall", "-Wextra", "-pedantic", "-Werror", "-std=c89", "-c", "all.c"]);
    let log = compiler.output().expect("cc runs");
    Some((log.status.success(), String::from_utf8_lossy(&log.stderr).into_owned()))
}

/// Of all headers of two designs none is left out: those of one program have their own names, or the compiler stops.
#[test]
fn headers_of_two_designs_stand_in_one_program() {
    let config = |name: &str, mechanism: &Mechanism| Config {
        mechanism: powar_config::Chosen(mechanism.defaults()),
        ..presets::by_name(name).expect("a preset")
    };
    let [first, second] = [("fat-tree-4", 0), ("demonstrator-4", 1)].map(|(name, at)| config(name, mechanism::ALL[at]));
    let headers = |config: &Config, prefix: &Prefix| {
        [registers::c_header(config, prefix), registers::demonstrator::c_header(config, prefix)]
    };
    let own = |config: &Config| headers(config, &Prefix::of(config).expect("a prefix"));
    let Some((fine, said)) = compiles(&[own(&first), own(&second), own(&first)].concat()) else { return };
    assert!(fine, "{said}");
    let one_name = Prefix::given("left").expect("a prefix");
    for prefix in [Prefix::NONE, one_name] {
        let (fine, said) = compiles(&[headers(&first, &prefix), headers(&second, &prefix)].concat()).expect("cc");
        assert!(!fine && said.contains("--prefix"), "{said}");
        let (fine, said) = compiles(&[headers(&first, &prefix), headers(&first, &prefix)].concat()).expect("cc");
        assert!(fine, "{said}");
    }
}

#[test]
fn the_json_file_says_the_same() {
    for config in configs() {
        let map: serde_json::Value = serde_json::from_str(&registers::json(&config)).expect("JSON");
        let number = |value: &serde_json::Value| value.as_u64().expect("a number") as usize;
        let mut found = vec![];
        let each = |list: &serde_json::Value, base: usize, found: &mut Vec<(usize, String, usize)>| {
            for entry in list.as_array().expect("a list") {
                let name = entry["name"].as_str().expect("a name").to_string();
                found.push((base + number(&entry["offset"]), name, number(&entry["reset"])));
            }
        };
        each(&map["registers"], 0, &mut found);
        for port in 0..number(&map["ports"]["count"]) {
            let base = number(&map["ports"]["base"]) + port * number(&map["ports"]["stride"]);
            each(&map["ports"]["registers"], base, &mut found);
        }
        let expected: Vec<_> = registers(&config)
            .into_iter()
            .map(|register| {
                let reset = register.word.reset_value(&config) as usize;
                (usize::from(register.address), register.word.name.to_string(), reset)
            })
            .collect();
        assert_eq!(found, expected);
    }
}
