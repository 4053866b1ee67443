//! The power mechanisms: one folder each, and their list.

pub mod alonso;
pub mod powar;

use crate::power::Entry;
use powar_config::Config;

/// Every mechanism.
pub static ALL: [&Entry; 2] = [&powar::ENTRY, &alonso::ENTRY];

/// The mechanism of a configuration.
pub fn of(config: &Config) -> &'static Entry {
    let name = config.mechanism().name;
    ALL.into_iter().find(|entry| entry.mechanism.name == name).expect("every mechanism has its RTL; a test sees to it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_has_its_rtl() {
        let names = |list: &[&powar_config::Mechanism]| list.iter().map(|mechanism| mechanism.name).collect::<Vec<_>>();
        assert_eq!(names(&ALL.map(|entry| entry.mechanism)), names(&powar_config::mechanism::ALL));
    }
}
