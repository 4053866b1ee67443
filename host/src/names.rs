//! The registers of a configuration by name: `switch.policy`, `port3.flits`, `demo.control`, `node0.load`; with a part of the word behind,
//! `port3.status.phase`; with `*` for all ports or nodes, `port*.flits`.

use anyhow::{Result, bail, ensure};
use powar_config::Config;
use powar_config::nearest::{is_not_in, is_unknown};
use powar_config::registers::{self, Access, Field, RegisterOwner, Word, demonstrator};
use std::collections::BTreeMap;

/// A register, or a part of one, on the bus of the demonstrator.
#[derive(Clone, Debug)]
pub struct Name {
    pub name: String,
    /// Byte address as the serial port sees it.
    pub address: u32,
    pub word: Word,
    /// The part of the word; none: the whole word.
    pub field: Option<Field>,
}

impl Name {
    /// The value of the part in its word.
    pub fn of_word(&self, word: u32) -> u32 {
        match self.field {
            Some(field) => (word & field.mask()) >> field.low,
            None => word,
        }
    }

    /// The word with another value of the part.
    ///
    /// # Errors
    /// The word can only be read; a value with more bits than there are.
    pub fn into_word(&self, word: u32, value: u32) -> Result<u32> {
        ensure!(self.word.access == Access::ReadWrite, "{}: can only be read", self.name);
        let most = match self.field {
            Some(field) => field.mask() >> field.low,
            None => self.word.mask(),
        };
        ensure!(value <= most, "{}: {value} is out of range 0..={most}", self.name);
        Ok(match self.field {
            Some(field) => word & !field.mask() | value << field.low,
            None => value,
        })
    }
}

/// All registers of a configuration.
pub struct Names {
    by_name: BTreeMap<String, (u32, Word)>,
    /// In the order of their addresses.
    order: Vec<String>,
}

impl Names {
    /// Those of the switch, and those of the demonstrator around it.
    pub fn new(config: &Config) -> Self {
        let of_switch = registers::registers(config).into_iter().map(|register| {
            let name = register.word.name;
            let name = match register.owner {
                RegisterOwner::Switch(_) | RegisterOwner::Routing(_) | RegisterOwner::Mechanism(_) => {
                    format!("switch.{name}")
                }
                RegisterOwner::Counter { port, .. } | RegisterOwner::Status { port } => format!("port{port}.{name}"),
            };
            (name, demonstrator::SWITCH_WINDOW + u32::from(register.address), register.word)
        });
        let of_demonstrator = demonstrator::registers(config).into_iter().map(|register| {
            let owner = register.node.map_or("demo".to_owned(), |node| format!("node{node}"));
            let address = demonstrator::OWN_WINDOW + u32::from(register.address);
            (format!("{owner}.{}", register.word.name), address, register.word)
        });
        let all: Vec<(String, u32, Word)> = of_switch.chain(of_demonstrator).collect();
        let order = all.iter().map(|(name, ..)| name.clone()).collect();
        Names { by_name: all.into_iter().map(|(name, address, word)| (name, (address, word))).collect(), order }
    }

    /// Every register, lowest address first.
    pub fn all(&self) -> impl Iterator<Item = Name> {
        self.order.iter().map(|name| {
            let (address, word) = self.by_name[name];
            Name { name: name.clone(), address, word, field: None }
        })
    }

    /// What a name stands for.
    ///
    /// # Errors
    /// There is no such register; those with a name that is like it are named.
    pub fn find(&self, name: &str) -> Result<Name> {
        if let Some(&(address, word)) = self.by_name.get(name) {
            return Ok(Name { name: name.into(), address, word, field: None });
        }
        if let Some((whole, part)) = name.rsplit_once('.')
            && let Some(&(address, word)) = self.by_name.get(whole)
        {
            let Some(&field) = word.fields.iter().find(|field| field.name == part) else {
                ensure!(!word.fields.is_empty(), "register: `{whole}` has no parts, so none called `{part}`");
                bail!("register: part of {whole}: {}", is_unknown(part, word.fields.iter().map(|field| field.name)));
            };
            return Ok(Name { name: name.into(), address, word, field: Some(field) });
        }
        let unknown = is_not_in("`powar host list`", name, self.order.iter().map(String::as_str));
        bail!("register: {unknown}; they begin with switch., portN., demo. or nodeN.")
    }

    /// What a name stands for, with `*` or without, if this value can be written to all of it.
    ///
    /// # Errors
    /// As of [`Names::find_all`] and [`Name::into_word`].
    pub fn find_to_set(&self, pattern: &str, value: u32) -> Result<Vec<Name>> {
        let found = self.find_all(pattern)?;
        found.iter().try_for_each(|register| register.into_word(0, value).map(drop))?;
        Ok(found)
    }

    /// What a name with `*` for a number stands for, or a name as it is.
    ///
    /// # Errors
    /// As of [`Names::find`].
    pub fn find_all(&self, pattern: &str) -> Result<Vec<Name>> {
        let Some((before, after)) = pattern.split_once('*') else { return Ok(vec![self.find(pattern)?]) };
        let found = (0..).map_while(|number| self.find(&format!("{before}{number}{after}")).ok());
        let found: Vec<Name> = found.collect();
        ensure!(
            !found.is_empty(),
            "register: `{pattern}` is none of any number; `powar host list` lists them: portN. and nodeN. have numbers"
        );
        Ok(found)
    }
}

/// A number as people write it: decimal, or hexadecimal behind 0x.
///
/// # Errors
/// Text that is no such number, or one of more than 32 bits.
pub fn number(text: &str) -> Result<u32> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    match parsed {
        Ok(number) => Ok(number),
        Err(_) => bail!("value: `{text}` is no number in 0..=4294967295 (0x for hexadecimal)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    fn names() -> Names {
        Names::new(&presets::by_name("fat-tree-2").unwrap())
    }

    #[test]
    fn names_are_those_of_the_maps() {
        let names = names();
        let address = |name: &str| names.find(name).unwrap().address;
        assert_eq!((address("switch.id"), address("switch.policy")), (0, 0x40));
        assert_eq!((address("port2.flits"), address("demo.control")), (0x1098, 0x1_0008));
        assert_eq!(address("node3.latency_max"), 0x1_1660);
        let phase = names.find("port1.status.phase").unwrap();
        assert_eq!((phase.of_word(0x3fd), phase.field.unwrap().bits), (5, 3));
        assert_eq!(names.find_all("port*.flits").unwrap().len(), 4);
        assert_eq!(names.all().count(), 4 + 10 + 13 * 4 + 7 + 64 * 4);
    }

    #[test]
    fn what_there_is_not_is_said_in_a_line() {
        let names = names();
        let error = |name: &str| names.find(name).unwrap_err().to_string();
        assert_eq!(
            error("flits"),
            "register: `flits` is unknown; did you mean `port0.flits` or `port1.flits` or `port2.flits`? \
             `powar host list` lists them; they begin with switch., portN., demo. or nodeN."
        );
        assert!(error("demo.contorl").contains("did you mean `demo.control`?"));
        assert_eq!(error("demo.cycles.low"), "register: `demo.cycles` has no parts, so none called `low`");
        assert!(error("port4.flits").contains("is unknown"));
        let of_none = names.find_all("port*").unwrap_err().to_string();
        assert!(of_none.starts_with("register: `port*` is none of any number; "), "{of_none}");
        let only_read = names.find("port0.flits").unwrap().into_word(0, 1).unwrap_err().to_string();
        assert_eq!(only_read, "port0.flits: can only be read");
        let too_large = names.find("node0.load").unwrap().into_word(0, 1 << 17).unwrap_err().to_string();
        assert_eq!(too_large, "node0.load: 131072 is out of range 0..=131071");
    }

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        assert_eq!((number("65536").unwrap(), number("0xFfff").unwrap()), (65536, 0xffff));
        assert!(number("-1").is_err() && number("0x1_0").is_err() && number("4294967296").is_err());
    }
}
