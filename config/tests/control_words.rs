//! The words of each mechanism are those of the table on its page, which is written by hand.

use powar_config::mechanism;
use std::path::Path;

/// Address, name and bits of the words in the table of a page; a mechanism that has all words of another names those in one row.
fn of_page(name: &str) -> Vec<(u16, String, u32)> {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/microarchitecture/mechanisms");
    let page = std::fs::read_to_string(pages.join(format!("{name}.md"))).unwrap();
    let mut words = vec![];
    for row in page.lines().filter_map(|line| line.strip_prefix("| 0x")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        // Several words of a kind in one row: `0x64, 0x68`.
        let addresses = cells[0].split(", ").map(|address| address.trim_start_matches("0x"));
        let Some(bits) = cells[2].split(' ').next().and_then(|bits| bits.parse().ok()) else { continue };
        for (address, name) in addresses.zip(cells[1].split(", ")) {
            words.push((u16::from_str_radix(address, 16).unwrap(), name.trim_matches('`').to_owned(), bits));
        }
    }
    words
}

#[test]
fn words_are_those_of_the_page() {
    for mechanism in mechanism::ALL {
        let words: Vec<_> = mechanism.words.iter().map(|word| (word.offset, word.name.to_owned(), word.bits)).collect();
        let of_page = of_page(mechanism.name);
        assert!(!of_page.is_empty(), "{}: the page has no table of words", mechanism.name);
        let of_another = words.len() - of_page.len();
        assert_eq!(words[of_another..], of_page, "{}", mechanism.name);
        // The rest are those of a mechanism that this one is built around, of which some at the end may be at other
        // addresses here: counters that lie behind what this one adds.
        let is_built_around = |other: &&mechanism::Mechanism| {
            let others: Vec<_> = other.words.iter().map(|word| (word.offset, word.name, word.bits)).collect();
            let (same, moved) = others.split_at(of_another.min(others.len()));
            let is_here = |&(_, name, bits): &(u16, &str, u32)| {
                of_page.iter().any(|word| (word.1.as_str(), word.2) == (name, bits))
            };
            words[..of_another].iter().map(|word| (word.0, word.1.as_str(), word.2)).eq(same.iter().copied())
                && moved.iter().all(is_here)
        };
        let is_covered = of_another == 0 || mechanism::ALL.iter().any(is_built_around);
        assert!(is_covered, "{}: {of_another} words are on no page", mechanism.name);
    }
}
