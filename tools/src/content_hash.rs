//! Names for cached results, made of everything that went into them.

use sha2::{Digest, Sha256};

/// Collects the inputs of a cached result; each part is framed by its length, so that moving a byte from one
/// part to the next gives another name.
#[derive(Default)]
pub(crate) struct ContentHash(Sha256);

impl ContentHash {
    pub(crate) fn add(&mut self, part: impl AsRef<[u8]>) -> &mut Self {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    /// Sixteen hexadecimal digits (64 bits): short enough for a folder name, and collisions would need billions
    /// of cached results.
    pub(crate) fn name(&self) -> String {
        let digest = self.0.clone().finalize();
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::ContentHash;

    #[test]
    fn parts_are_framed() {
        let name = |parts: &[&str]| {
            let mut hash = ContentHash::default();
            for part in parts {
                hash.add(part);
            }
            hash.name()
        };
        assert_eq!(name(&["ab", "c"]), name(&["ab", "c"]));
        assert_ne!(name(&["ab", "c"]), name(&["a", "bc"]));
        assert_eq!(name(&[]).len(), 16);
    }
}
