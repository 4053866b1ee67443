//! Routing tables from files: what `powar emit --tables` writes is read, and whatever is not such a text is refused in a line.

#[allow(dead_code)]
#[path = "../../traffic/tests/common/mutation.rs"]
mod mutation;

use mutation::{Mutator, try_many};
use powar_config::routing::table;
use powar_config::{Config, presets};
use powar_host::routing_table::{parse, table};
use std::fmt::Write;

/// A leaf of a tree, routed by its table: 2 words a row.
fn config() -> Config {
    let mut config = Config::of_network("10-ary-2-tree").expect("a network");
    config.route_by(&table::ROUTING);
    config
}

/// The table of the switch itself as text.
fn text(config: &Config) -> String {
    let mut text = "# Routing table\n\n".to_owned();
    for (address, value) in table(config, None).expect("a table") {
        writeln!(text, "{address:04x} {value:08x}").expect("memory");
    }
    text
}

#[test]
fn what_is_written_is_read() {
    let config = config();
    assert_eq!(parse(&text(&config), &config).unwrap(), table(&config, None).unwrap());
}

#[test]
fn what_is_no_table_of_this_switch_is_one_line() {
    let config = config();
    let error = |text: &str| format!("{:#}", parse(text, &config).unwrap_err());
    let known = "it has 0010 table_row, 0014 table_word0, 0018 table_word1";
    assert_eq!(error("\n0040 0\n"), format!("line 2: address: 0040 is no register of the table; {known}"));
    assert_eq!(error("0010 100"), "line 1: table_row: 100 is out of range 0..=ff, hexadecimal");
    assert_eq!(error("0010 -1"), "line 1: value: `-1` is no hexadecimal number in 0..=ffffffff, without 0x");
    assert_eq!(error("0x10 0"), "line 1: address: `0x10` is no hexadecimal number in 0..=ffffffff, without 0x");
    assert_eq!(error("0010"), "line 1: expected an address and a value, hexadecimal, such as `0010 00000000`");
    assert_eq!(error("# none\n"), "table: there is no write in it, expected lines of address and value");
    let star = presets::by_name("demonstrator-4").unwrap();
    let error = table(&star, None).unwrap_err().to_string();
    assert_eq!(error, "table: demonstrator-4 is routed by star, which has none to load");
}

#[test]
fn any_text_is_a_table_or_a_line() {
    let (config, words) = (config(), ["0010", "0014", "#", " ", "zz", "ffffffff", "0x", "-", "\u{0}", "\n"]);
    let good = text(&config);
    try_many("any_text", |seed| {
        let [bytes] = Mutator::new(seed, &words).mutated([good.clone()]);
        match parse(&String::from_utf8_lossy(&bytes), &config) {
            Ok(writes) => !writes.is_empty(),
            Err(error) => {
                let line = format!("{error:#}");
                assert!(!line.contains('\n') && line.len() < 300, "{line:?}");
                false
            }
        }
    });
}
