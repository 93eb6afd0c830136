//! Nodes: the life of one static IP, from the shelf to its owner and back.
use crate::order::{NotAllowed, wire_enum};
use chrono::{Duration, NaiveDateTime};
use serde::{Deserialize, Serialize};

/// An expired node is kept this long for its owner.
pub const GRACE_HOURS: i64 = 72;
/// A released node rests this long before it is sold again.
pub const QUARANTINE_HOURS: i64 = 24;
/// A node that ends within so many days is shown as ending soon.
pub const ENDING_SOON_DAYS: i64 = 7;

wire_enum! {
    /// Where a node of the inventory stands.
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
    /// What happens to a node.
    NodeEvent {
        Hold = "hold",
        Release = "release",
        Assign = "assign",
        Renew = "renew",
        Expire = "expire",
        Quarantine = "quarantine",
        Free = "free",
        Retire = "retire",
    }
}

/// The one table of a node's transitions; what is not in it is refused.
pub fn next_node_state(state: NodeState, event: NodeEvent) -> Result<NodeState, NotAllowed<NodeState>> {
    use NodeEvent as E;
    use NodeState as S;
    match (state, event) {
        (S::Available, E::Hold) => Ok(S::Held),
        (S::Held, E::Release) => Ok(S::Available),
        (S::Held, E::Assign) => Ok(S::Assigned),
        (S::Assigned | S::Grace, E::Renew) => Ok(S::Assigned),
        (S::Assigned, E::Expire) => Ok(S::Grace),
        (S::Assigned | S::Grace, E::Quarantine) => Ok(S::Quarantined),
        (S::Quarantined, E::Free) => Ok(S::Available),
        (S::Available | S::Quarantined, E::Retire) => Ok(S::Retired),
        _ => Err(NotAllowed { state }),
    }
}

/// States in which a node is somebody's.
pub const OWNED: [NodeState; 2] = [NodeState::Assigned, NodeState::Grace];

/// When a node bought now for so many days ends.
pub fn first_expiry(now: NaiveDateTime, period_days: u32) -> Option<NaiveDateTime> {
    now.checked_add_signed(Duration::days(i64::from(period_days)))
}

/// When a renewed node ends: always counted from its old end, so that no day is lost and none is free.
pub fn renewed_expiry(old_expiry: NaiveDateTime, period_days: u32) -> Option<NaiveDateTime> {
    old_expiry.checked_add_signed(Duration::days(i64::from(period_days)))
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
                "available retire retired",
                "held release available",
                "held assign assigned",
                "assigned renew assigned",
                "assigned expire grace",
                "assigned quarantine quarantined",
                "grace renew assigned",
                "grace quarantine quarantined",
                "quarantined free available",
                "quarantined retire retired",
            ]
        );
    }

    #[test]
    fn a_renewal_counts_from_the_old_end_over_a_leap_day() {
        let day = |year, month, day| {
            NaiveDate::from_ymd_opt(year, month, day).and_then(|date| date.and_hms_opt(10, 0, 0)).expect("a day")
        };
        assert_eq!(renewed_expiry(day(2028, 1, 31), 30), Some(day(2028, 3, 1)));
        assert_eq!(renewed_expiry(day(2027, 1, 31), 30), Some(day(2027, 3, 2)));
    }
}
