//! What a word holds after reset in a configuration.

use super::word::{Reset, Word};
use crate::Config;

impl Word {
    /// The value after reset in this configuration, which must have passed [`Config::check`].
    pub fn reset_value(&self, config: &Config) -> u32 {
        match self.reset {
            Reset::Value(value) => value,
            Reset::Configured(of) => of(&config.shape()),
            Reset::OfMechanism => {
                let place = config.mechanism().words.iter().position(|word| word.offset == self.offset);
                config.mechanism.0.resets(config.cycle_ns)[place.expect("a word of the configuration's mechanism")]
            }
        }
    }
}
