//! The registers of the demonstrator: no two overlap, what is generated agrees with the declarations, and the committed page is current.

use powar_config::registers::demonstrator::{
    self, CHECKER, HISTOGRAM, HISTOGRAM_WORDS, INTERFACE, INTERFACE_WORDS, NODE, lookup, registers,
};
use powar_config::registers::{Access, WORD_BYTES};
use powar_config::{Config, Prefix, presets};
use std::collections::BTreeSet;
use std::path::Path;

fn configs() -> Vec<Config> {
    ["fat-tree-2", "fat-tree-4", "star-16"].map(|name| presets::by_name(name).expect("a preset")).into()
}

#[test]
fn every_address_is_one_register_or_none() {
    for config in configs() {
        assert!(demonstrator::fits(&config));
        let list = registers(&config);
        assert_eq!(list.len(), 7 + (22 + 32 + 10) * config.ports);
        assert!(list.windows(2).all(|pair| pair[0].address < pair[1].address), "addresses rise");
        let known: BTreeSet<(u16, &str)> = list.iter().map(|one| (one.address, one.word.name)).collect();
        let found = (0..=u16::MAX).filter_map(|address| Some((address, lookup(address, &config)?.word.name)));
        assert_eq!(found.collect::<BTreeSet<_>>(), known);
    }
}

#[test]
fn words_of_a_node_are_in_the_part_they_are_of() {
    let place = |name: &str| {
        let word = NODE.iter().find(|word| word.name == name).expect("there");
        usize::from(word.offset / WORD_BYTES)
    };
    assert!(place("flits_sent") < CHECKER && place("packets_received") == CHECKER);
    assert!(place("latency_sum_high") < HISTOGRAM);
    assert_eq!(HISTOGRAM_WORDS[31].offset + WORD_BYTES, INTERFACE_WORDS[0].offset);
    assert_eq!(usize::from(INTERFACE_WORDS[0].offset / WORD_BYTES), INTERFACE);
    let last = registers(&Config { ports: demonstrator::MOST_NODES, ..configs().remove(0) });
    assert!(last.iter().is_sorted_by_key(|register| register.address));
    assert_eq!(demonstrator::access_in_node(place("load")), Some(Access::ReadWrite));
    assert_eq!(demonstrator::access_in_node(place("flits_sent")), Some(Access::Read));
    assert_eq!(demonstrator::access_in_node(11), None);
    let names: BTreeSet<&str> = demonstrator::node_words().map(|word| word.name).collect();
    assert_eq!(names.len(), 22 + 32 + 10);
}

#[test]
fn reset_values_fit() {
    for config in configs() {
        for register in registers(&config) {
            let value = register.word.reset_value(&config);
            assert_eq!(value & !register.word.mask(), 0, "{}: {value:#x}", register.word.name);
        }
    }
    let config = presets::by_name("fat-tree-4").expect("a preset");
    let reset = |address| lookup(address, &config).expect("there").word.reset_value(&config);
    assert_eq!((reset(0).to_be_bytes(), reset(4)), (*b"POWD", 0x0010_0408));
}

#[test]
fn the_generated_files_have_every_register() {
    for config in configs() {
        let files: Vec<String> =
            demonstrator::files(&config, &Prefix::NONE).into_iter().map(|(_, text)| text).collect();
        let [header, page, json, rdl] = &files[..] else { panic!("{} files", files.len()) };
        for word in demonstrator::node_words() {
            let upper = word.name.to_uppercase();
            assert!(
                header.contains(&format!("#define POWAR_NODE_{upper}(n) (POWAR_NODE(n) + 0x{:02X}u)", word.offset))
            );
            assert!(page.contains(&format!("| 0x{:02x} | `{}` |", word.offset, word.name)));
            assert!(rdl.contains(&format!("\\{} @ 0x{:04X};", word.name, word.offset)));
        }
        let map: serde_json::Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(map["nodes"]["registers"].as_array().expect("a list").len(), 22 + 32 + 10);
        assert_eq!(map["registers"][2]["offset"], 8);
        assert!(header.contains("#define POWAR_DEMO_CONTROL 0x0008u"));
    }
}

#[test]
fn the_committed_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/registers-demonstrator.md");
    let page = demonstrator::markdown();
    if std::env::var_os("POWAR_WRITE").is_some() {
        std::fs::write(&path, &page).expect("written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == page, "not current; POWAR_WRITE=1 cargo test -p powar-config --test all demonstrator_registers");
}
