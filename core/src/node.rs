//! Nodes: the lifecycle of a static IP, from stock to its owner and back to stock.
use crate::order::NotAllowed;
use crate::wire_enum::wire_enum;
use chrono::{Duration, NaiveDateTime};

/// How long an expired node is kept for its owner.
pub const GRACE_HOURS: i64 = 72;
/// How long a released node is quarantined before it is sold again.
pub const QUARANTINE_HOURS: i64 = 24;

wire_enum! {
    /// The state of a node.
    NodeState {
        Available = "available",
        Held = "held",
        Assigned = "assigned",
        Grace = "grace",
        Quarantined = "quarantined",
        Retired = "retired",
    }
}

wire_enum! {
    /// An event in the lifecycle of a node.
    NodeEvent {
        /// An order holds it.
        Hold = "hold",
        /// The order that holds it ends unpaid.
        Release = "release",
        /// The order is paid.
        Assign = "assign",
        /// A switch assigns it in place of another node.
        Replace = "replace",
        Renew = "renew",
        /// A refund removes time that has not begun.
        Shorten = "shorten",
        Expire = "expire",
        /// Its owner loses it.
        Quarantine = "quarantine",
        /// Its quarantine is over.
        Free = "free",
        /// The seller withdraws it from sale.
        Retire = "retire",
        /// The seller sells it again.
        Restore = "restore",
    }
}

wire_enum! {
    /// How clients authenticate to a plan's nodes.
    AccessMode { Password = "password", Whitelist = "whitelist", Both = "both" }
}

/// The maximum number of addresses in a filter of the proxy list.
pub const FILTER_MAX_IPS: usize = 1_000;

wire_enum! {
    /// The kind of an entry in a node's history, which its owner sees.
    NodeHistoryKind { Bought = "bought", Renewed = "renewed", Switched = "switched" }
}

wire_enum! {
    /// Why the test of a node failed.
    NodeTestProblem {
        Timeout = "timeout",
        Refused = "refused",
        AuthFailed = "authFailed",
        Redirected = "redirected",
        BadStatus = "badStatus",
        /// The response did not contain the address from which the request came.
        NoExitAddress = "noExitAddress",
        BadAnswer = "badAnswer",
    }
}

/// The maximum number of hours for which old credentials stay valid beside new ones.
pub const MAX_KEEP_OLD_HOURS: u32 = 72;
/// The choices in forms.
pub const KEEP_OLD_HOURS: [u32; 6] = [0, 1, 6, 24, 48, MAX_KEEP_OLD_HOURS];

/// The transition table of nodes; any other transition is refused.
pub fn next_node_state(state: NodeState, event: NodeEvent) -> Result<NodeState, NotAllowed<NodeState>> {
    use NodeEvent as E;
    use NodeState as S;
    match (state, event) {
        (S::Available, E::Hold) => Ok(S::Held),
        (S::Held, E::Release) => Ok(S::Available),
        (S::Held, E::Assign) => Ok(S::Assigned),
        (S::Available, E::Replace) => Ok(S::Assigned),
        (S::Assigned | S::Grace, E::Renew | E::Shorten) => Ok(S::Assigned),
        (S::Assigned, E::Expire) => Ok(S::Grace),
        (S::Assigned | S::Grace, E::Quarantine) => Ok(S::Quarantined),
        (S::Quarantined, E::Free) => Ok(S::Available),
        (S::Available | S::Quarantined, E::Retire) => Ok(S::Retired),
        (S::Retired, E::Restore) => Ok(S::Available),
        _ => Err(NotAllowed { state }),
    }
}

/// The source states and the target state of an event, for statements that change many nodes at once.
pub fn node_transition(event: NodeEvent) -> (Vec<NodeState>, NodeState) {
    let steps = NodeState::ALL.iter().filter_map(|state| Some((*state, next_node_state(*state, event).ok()?)));
    let (from, to): (Vec<NodeState>, Vec<NodeState>) = steps.unzip();
    (from, to.first().copied().unwrap_or(NodeState::Retired))
}

/// States in which a node has an owner.
pub const OWNED: [NodeState; 2] = [NodeState::Assigned, NodeState::Grace];

/// The expiry of a node bought now for this many days.
pub fn first_expiry(now: NaiveDateTime, period_days: u32) -> Option<NaiveDateTime> {
    now.checked_add_signed(Duration::days(i64::from(period_days)))
}

/// The new expiry of a renewed node, always counted from its old one, so that no day is lost or free.
pub fn renewed_expiry(old_expiry: NaiveDateTime, period_days: u32) -> Option<NaiveDateTime> {
    old_expiry.checked_add_signed(Duration::days(i64::from(period_days)))
}

/// Days before a node's expiry at which its owner is reminded, if it does not renew.
pub const REMINDER_DAYS: [i64; 3] = [7, 3, 1];

/// When to remind the owner of a node with this expiry next, strictly after `after`; `None` after the last reminder.
pub fn next_reminder(expires_at: NaiveDateTime, after: NaiveDateTime) -> Option<NaiveDateTime> {
    let reminders = REMINDER_DAYS.iter().filter_map(|days| expires_at.checked_sub_signed(Duration::days(*days)));
    reminders.into_iter().find(|reminder| *reminder > after)
}

/// Masks an address for readers who do not own it yet: `198.18.4.7` becomes `198.18.4.x`.
pub fn masked_ip(ip: &str) -> String {
    let cut = ip.rfind(['.', ':']).map_or(0, |index| index + 1);
    format!("{}x", &ip[..cut])
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::NaiveDate;

    #[test]
    fn only_the_transitions_of_the_table_are_allowed() {
        let allowed: Vec<String> = NodeState::ALL
            .iter()
            .flat_map(|state| NodeEvent::ALL.iter().map(move |event| (*state, *event)))
            .filter_map(|(state, event)| {
                let next = next_node_state(state, event).ok()?;
                Some(format!("{} {} {}", state.as_str(), event.as_str(), next.as_str()))
            })
            .collect();
        assert_eq!(
            allowed,
            [
                "available hold held",
                "available replace assigned",
                "available retire retired",
                "held release available",
                "held assign assigned",
                "assigned renew assigned",
                "assigned shorten assigned",
                "assigned expire grace",
                "assigned quarantine quarantined",
                "grace renew assigned",
                "grace shorten assigned",
                "grace quarantine quarantined",
                "quarantined free available",
                "quarantined retire retired",
                "retired restore available",
            ]
        );
    }

    #[test]
    fn every_event_has_source_states_and_one_target_state() {
        for event in NodeEvent::ALL {
            let (from, to) = node_transition(*event);
            assert!(!from.is_empty(), "{}", event.as_str());
            assert!(from.iter().all(|state| next_node_state(*state, *event) == Ok(to)), "{}", event.as_str());
        }
    }

    #[test]
    fn reminders_are_seven_days_three_days_and_one_day_before_expiry() {
        let time = |text| crate::time::from_wire(text).expect("a time");
        let end = time("2026-03-10 12:00:00");
        for (now, next) in [
            ("2026-01-01 00:00:00", Some("2026-03-03 12:00:00")),
            ("2026-03-03 12:00:00", Some("2026-03-07 12:00:00")),
            ("2026-03-08 00:00:00", Some("2026-03-09 12:00:00")),
            ("2026-03-09 12:00:00", None),
        ] {
            assert_eq!(next_reminder(end, time(now)), next.map(time), "{now}");
        }
    }

    #[test]
    fn the_last_part_of_an_address_is_masked() {
        assert_eq!(masked_ip("198.18.4.7"), "198.18.4.x");
        assert_eq!(masked_ip("2001:db8::17"), "2001:db8::x");
        assert_eq!(masked_ip(""), "x");
    }

    #[test]
    fn a_renewal_counts_from_the_old_expiry_across_a_leap_day() {
        let day = |year, month, day| {
            NaiveDate::from_ymd_opt(year, month, day).and_then(|date| date.and_hms_opt(10, 0, 0)).expect("a day")
        };
        assert_eq!(renewed_expiry(day(2028, 1, 31), 30), Some(day(2028, 3, 1)));
        assert_eq!(renewed_expiry(day(2027, 1, 31), 30), Some(day(2027, 3, 2)));
    }
}
