//! Rate limits of API keys: each process counts calls in memory, from blocks that it reserves in the key's row. All servers share one limit, and most
//! calls write nothing.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::api_keys;
use chrono::NaiveDateTime;
use postern_core::api_key::{CALLS_PER_WINDOW, WINDOW_SECONDS, lease, window_of};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;

/// The remaining calls of this process, by key.
#[derive(Default)]
pub struct KeyLimits(Mutex<Window>);

#[derive(Default)]
struct Window {
    number: i64,
    by_key: HashMap<i64, Block>,
}

#[derive(Clone, Copy, Default)]
struct Block {
    /// Unused calls of the blocks that this process has reserved.
    left: u32,
    /// Calls reserved by all processes, as of this one's latest reservation.
    taken: u32,
}

/// The remaining rate limit of a key in this window.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Allowance {
    /// An upper bound: other servers may have reserved some of these calls.
    pub remaining: u32,
    pub seconds_left: i64,
    pub is_used_up: bool,
}

impl Allowance {
    fn of(block: Block, seconds_left: i64, is_used_up: bool) -> Allowance {
        Allowance { remaining: CALLS_PER_WINDOW.saturating_sub(block.taken) + block.left, seconds_left, is_used_up }
    }

    /// The headers of draft-ietf-httpapi-ratelimit-headers: the policy, and the remaining limit.
    pub fn headers(&self) -> [(&'static str, String); 2] {
        [
            ("ratelimit-policy", format!("\"key\";q={CALLS_PER_WINDOW};w={WINDOW_SECONDS}")),
            ("ratelimit", format!("\"key\";r={};t={}", self.remaining, self.seconds_left)),
        ]
    }
}

impl KeyLimits {
    /// Counts a call if a reserved block has room for it.
    pub fn count(&self, key_id: i64, now: NaiveDateTime) -> Option<Allowance> {
        let (number, seconds_left) = window_of(now);
        let mut window = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // A late request of the previous window must not bring it back.
        if number > window.number {
            *window = Window { number, by_key: HashMap::new() };
        }
        let block = window.by_key.get_mut(&key_id)?;
        if block.left == 0 && lease(block.taken) == 0 {
            return Some(Allowance::of(*block, seconds_left, true));
        }
        block.left = block.left.checked_sub(1)?;
        Some(Allowance::of(*block, seconds_left, false))
    }

    /// Counts a call from a newly reserved block.
    pub fn count_out_of(&self, key_id: i64, leased: Leased, now: NaiveDateTime) -> Allowance {
        let (number, seconds_left) = window_of(now);
        let mut window = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if number != window.number {
            let block = Block { left: leased.calls.saturating_sub(1), taken: leased.taken };
            return Allowance::of(block, seconds_left, leased.calls == 0);
        }
        let block = window.by_key.entry(key_id).or_default();
        let room = block.left + leased.calls;
        *block = Block { left: room.saturating_sub(1), taken: leased.taken.max(block.taken) };
        Allowance::of(*block, seconds_left, room == 0)
    }
}

/// A reserved block: its number of calls, and the total reserved in the window including it.
#[derive(Clone, Copy, Debug)]
pub struct Leased {
    calls: u32,
    taken: u32,
}

/// Reserves a block of the key's window, and records when and from where the key was last used.
pub fn take_block(conn: &mut Conn, key_id: i64, address: IpAddr, now: NaiveDateTime) -> Result<Leased, AppError> {
    let (number, _) = window_of(now);
    loop {
        let kept = api_keys::table.find(key_id).select((api_keys::limited_window, api_keys::limited_calls));
        let (kept_number, kept_calls): (i64, i32) = kept.first(conn)?;
        let taken = if kept_number == number { u32::try_from(kept_calls).unwrap_or(u32::MAX) } else { 0 };
        let calls = lease(taken);
        if calls == 0 {
            return Ok(Leased { calls, taken });
        }
        let total = i32::try_from(taken + calls).map_err(|_| AppError::internal("a limit is too large"))?;
        // Fails if another server has reserved a block meanwhile.
        let unchanged = api_keys::table
            .find(key_id)
            .filter(api_keys::limited_window.eq(kept_number))
            .filter(api_keys::limited_calls.eq(kept_calls));
        let updated = diesel::update(unchanged)
            .set((
                api_keys::limited_window.eq(number),
                api_keys::limited_calls.eq(total),
                api_keys::last_used_at.eq(now),
                api_keys::last_used_address.eq(address.to_string()),
            ))
            .execute(conn)?;
        if updated == 1 {
            return Ok(Leased { calls, taken: taken + calls });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::time::from_wire;

    fn at(text: &str) -> NaiveDateTime {
        from_wire(text).expect("a time")
    }

    #[test]
    fn calls_are_counted_from_blocks_until_the_window_ends() {
        let limits = KeyLimits::default();
        let now = at("2026-11-21 12:00:10");
        assert_eq!(limits.count(1, now), None);
        let first = limits.count_out_of(1, Leased { calls: 2, taken: 500 }, now);
        assert_eq!(first, Allowance { remaining: 101, seconds_left: 50, is_used_up: false });
        assert_eq!(limits.count(1, now).map(|left| left.remaining), Some(100));
        assert_eq!(limits.count(1, now), None, "the block is used up, and the window is not");
        assert_eq!(limits.count(2, now), None, "another key has blocks of its own");
        assert!(limits.count_out_of(1, Leased { calls: 0, taken: 600 }, now).is_used_up);
        let refused = limits.count(1, now).expect("an answer without the database");
        assert_eq!((refused.is_used_up, refused.remaining), (true, 0));
        assert_eq!(limits.count(1, at("2026-11-21 12:01:00")), None, "a new window");
    }

    #[test]
    fn headers_contain_the_policy_and_the_remaining_limit() {
        let allowance = Allowance { remaining: 7, seconds_left: 30, is_used_up: false };
        assert_eq!(
            allowance.headers().map(|(name, value)| format!("{name}: {value}")),
            ["ratelimit-policy: \"key\";q=600;w=60", "ratelimit: \"key\";r=7;t=30"]
        );
    }
}
