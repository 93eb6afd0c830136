//! The generated sessions of a list.
use crate::account::UNAMBIGUOUS_LOWER;

/// The length of a generated session; each character is one of 32.
pub(super) const SESSION_LENGTH: usize = 8;

const HALF_BITS: u32 = 20;
const HALF_MASK: u64 = (1 << HALF_BITS) - 1;

/// Generates distinct sessions that cannot be derived from one another: the numbers 0, 1, 2… permuted by a 40-bit Feistel network, keyed by
/// the seed.
pub(super) struct SessionIds {
    keys: [u64; 4],
}

/// A session, stored inline.
pub(super) struct SessionId([u8; SESSION_LENGTH]);

impl SessionId {
    #[inline]
    pub fn as_str(&self) -> &str {
        // All characters are ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl SessionIds {
    #[inline]
    pub fn new(seed: &str) -> SessionIds {
        // FNV-1a, then a SplitMix64 step for each key.
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let mut state = seed.bytes().fold(0xcbf2_9ce4_8422_2325, hash);
        let keys = [0; 4].map(|_: u64| {
            state = u64::wrapping_add(state, 0x9e37_79b9_7f4a_7c15);
            mixed(state)
        });
        SessionIds { keys }
    }

    #[inline]
    pub fn spell(&self, index: u64) -> SessionId {
        let (mut left, mut right) = (index >> HALF_BITS & HALF_MASK, index & HALF_MASK);
        for key in self.keys {
            (left, right) = (right, left ^ (mixed(right ^ key) & HALF_MASK));
        }
        let mut bits = left << HALF_BITS | right;
        let letters = [0; SESSION_LENGTH].map(|_: u8| {
            let letter = UNAMBIGUOUS_LOWER[(bits & 31) as usize];
            bits >>= 5;
            letter
        });
        SessionId(letters)
    }
}

#[inline]
fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoint::LIST_MAX;
    use std::collections::HashSet;

    #[test]
    fn sessions_are_determined_by_the_seed_and_distinct() {
        let (monday, tuesday) = (SessionIds::new("monday"), SessionIds::new("tuesday"));
        let ids: HashSet<_> = (0..u64::from(LIST_MAX)).map(|index| monday.spell(index).0).collect();
        assert_eq!(ids.len(), LIST_MAX as usize);
        assert_eq!(monday.spell(7).as_str(), SessionIds::new("monday").spell(7).as_str());
        let shared = (0..1_000).filter(|index| ids.contains(&tuesday.spell(*index).0)).count();
        assert!(shared < 10, "{shared} of 1000 sessions are shared with another seed");
    }
}
