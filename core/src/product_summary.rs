//! The summary of a static product that an account owns: what works, what has expired, what renews, and what expires next.
use crate::constants::ENDS_SOON_DAYS;
use crate::node::{GRACE_HOURS, NodeState};
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};

wire_enum! {
    /// The state of a product: that of its nodes which need attention first.
    ProductState {
        /// The account has no nodes of it.
        None = "none",
        /// At least one node has expired and can still be renewed.
        Expired = "expired",
        /// At least one node expires within 7 days.
        EndingSoon = "ending_soon",
        Active = "active",
    }
}

wire_enum! {
    /// How many nodes of a product renew automatically.
    AutoRenewal { Off = "off", Partly = "partly", On = "on" }
}

/// Nodes of one product that share state and automatic renewal and, unless all of them expire later than soon, their expiry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NodeGroup {
    pub state: NodeState,
    pub auto_renew: bool,
    /// The earliest expiry among them, in UTC.
    pub expires_at: Option<NaiveDateTime>,
    pub count: u32,
}

/// What an account owns of a product. Times on the wire are UTC.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ProductSummary {
    pub state: ProductState,
    /// The number of active proxies.
    pub active_count: u32,
    /// The number of expired proxies that can still be renewed.
    pub grace_count: u32,
    /// The number of active proxies that expire within 7 days.
    pub ending_soon_count: u32,
    /// Whether all, some or none of the proxies renew automatically. Without proxies, whether those bought next do.
    pub auto_renewal: AutoRenewal,
    /// The number of active proxies that renew automatically.
    pub auto_renew_count: u32,
    /// When the next active proxy expires: always later than now.
    #[serde(with = "crate::time::wire_option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub next_expires_at: Option<NaiveDateTime>,
    /// When the first expired proxy can no longer be renewed.
    #[serde(with = "crate::time::wire_option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub grace_ends_at: Option<NaiveDateTime>,
}

impl ProductSummary {
    /// The number of proxies that the account has, active or expired.
    pub fn owned(&self) -> u32 {
        self.active_count.saturating_add(self.grace_count)
    }
}

/// Summarises the nodes of one product. `next_ones_renew` is the plan's setting for nodes bought next. A node whose time is over has expired,
/// even while a job has not yet changed its state.
pub fn summarise(groups: &[NodeGroup], next_ones_renew: bool, now: NaiveDateTime) -> ProductSummary {
    let soon = now.checked_add_signed(TimeDelta::days(i64::from(ENDS_SOON_DAYS)));
    let is_active =
        |group: &NodeGroup| group.state == NodeState::Assigned && group.expires_at.is_none_or(|at| at > now);
    let is_expired =
        |group: &NodeGroup| matches!(group.state, NodeState::Assigned | NodeState::Grace) && !is_active(group);
    let count = |of: &dyn Fn(&NodeGroup) -> bool| {
        groups.iter().filter(|group| of(group)).fold(0_u32, |sum, group| sum.saturating_add(group.count))
    };
    let active_count = count(&is_active);
    let grace_count = count(&is_expired);
    let ending_soon_count =
        count(&|group| is_active(group) && group.expires_at.zip(soon).is_some_and(|(at, soon)| at <= soon));
    let renewing = count(&|group| group.auto_renew && (is_active(group) || is_expired(group)));
    let next_expires_at = groups.iter().filter(|group| is_active(group)).filter_map(|group| group.expires_at).min();
    let lost_at = |group: &NodeGroup| group.expires_at?.checked_add_signed(TimeDelta::hours(GRACE_HOURS));
    let seconds_left = next_expires_at.map(|at| (at - now).num_seconds());
    ProductSummary {
        state: product_state(active_count, grace_count, ending_soon_count, seconds_left),
        active_count,
        grace_count,
        ending_soon_count,
        auto_renewal: auto_renewal(active_count.saturating_add(grace_count), renewing, next_ones_renew),
        auto_renew_count: count(&|group| group.auto_renew && is_active(group)),
        next_expires_at,
        grace_ends_at: groups.iter().filter(|group| is_expired(group)).filter_map(lost_at).min(),
    }
}

/// The state of a product with these counts, this many seconds before its next expiry. Also for a summary that was made a while ago: once that
/// expiry has passed, the product has expired.
pub fn product_state(
    active_count: u32,
    grace_count: u32,
    ending_soon_count: u32,
    seconds_left: Option<i64>,
) -> ProductState {
    let is_within = |seconds: i64| active_count > 0 && seconds_left.is_some_and(|left| left <= seconds);
    if grace_count > 0 || is_within(0) {
        ProductState::Expired
    } else if active_count == 0 {
        ProductState::None
    } else if ending_soon_count > 0 || is_within(i64::from(ENDS_SOON_DAYS) * 86_400) {
        ProductState::EndingSoon
    } else {
        ProductState::Active
    }
}

fn auto_renewal(owned: u32, renewing: u32, next_ones_renew: bool) -> AutoRenewal {
    match (owned, renewing) {
        (0, _) if next_ones_renew => AutoRenewal::On,
        (_, 0) => AutoRenewal::Off,
        (owned, renewing) if renewing < owned => AutoRenewal::Partly,
        _ => AutoRenewal::On,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{from_wire, to_wire};

    const NOW: &str = "2026-03-10 12:00:00";

    fn at(text: &str) -> NaiveDateTime {
        from_wire(text).expect("a time")
    }

    /// A moment ago, now, in a moment, at the last moment of soon, after it, and never.
    const EXPIRIES: [Option<&str>; 6] = [
        Some("2026-03-10 11:59:59"),
        Some("2026-03-10 12:00:00"),
        Some("2026-03-10 12:00:01"),
        Some("2026-03-17 12:00:00"),
        Some("2026-03-17 12:00:01"),
        None,
    ];

    fn group(state: NodeState, auto_renew: bool, expires_at: Option<&str>, count: u32) -> NodeGroup {
        NodeGroup { state, auto_renew, expires_at: expires_at.map(at), count }
    }

    /// One group for each state, setting and expiry.
    fn all_groups() -> Vec<NodeGroup> {
        let of_state = |state: &NodeState| {
            let state = *state;
            [false, true].into_iter().flat_map(move |auto_renew| {
                EXPIRIES.into_iter().map(move |expires_at| group(state, auto_renew, expires_at, 3))
            })
        };
        NodeState::ALL.iter().flat_map(of_state).collect()
    }

    #[test]
    fn an_account_without_nodes_has_nothing_but_its_setting() {
        for (next_ones_renew, auto_renewal) in [(false, AutoRenewal::Off), (true, AutoRenewal::On)] {
            let summary = summarise(&[], next_ones_renew, at(NOW));
            assert_eq!((summary.state, summary.auto_renewal), (ProductState::None, auto_renewal));
            assert_eq!((summary.active_count, summary.next_expires_at, summary.grace_ends_at), (0, None, None));
        }
    }

    #[test]
    fn one_group_of_each_state_setting_and_expiry() {
        for one in all_groups() {
            for next_ones_renew in [false, true] {
                let summary = summarise(&[one], next_ones_renew, at(NOW));
                let is_owned = matches!(one.state, NodeState::Assigned | NodeState::Grace);
                let is_over = one.state == NodeState::Grace || one.expires_at.is_some_and(|expiry| expiry <= at(NOW));
                let is_soon = one.expires_at.is_some_and(|expiry| expiry <= at("2026-03-17 12:00:00"));
                let (state, counts) = match (is_owned, is_over, is_soon) {
                    (false, ..) => (ProductState::None, (0, 0, 0)),
                    (true, true, _) => (ProductState::Expired, (0, 3, 0)),
                    (true, false, true) => (ProductState::EndingSoon, (3, 0, 3)),
                    (true, false, false) => (ProductState::Active, (3, 0, 0)),
                };
                assert_eq!(summary.state, state, "{one:?}");
                assert_eq!((summary.active_count, summary.grace_count, summary.ending_soon_count), counts, "{one:?}");
                let renews = if is_owned { one.auto_renew } else { next_ones_renew };
                assert_eq!(summary.auto_renewal == AutoRenewal::On, renews, "{one:?}");
                assert_eq!(summary.auto_renew_count, if one.auto_renew { counts.0 } else { 0 }, "{one:?}");
                assert_eq!(summary.next_expires_at, one.expires_at.filter(|_| counts.0 > 0), "{one:?}");
                assert_eq!(summary.grace_ends_at.is_some(), counts.1 > 0 && one.expires_at.is_some(), "{one:?}");
            }
        }
    }

    #[test]
    fn no_mixture_of_two_groups_contradicts_itself() {
        let groups = all_groups();
        for one in &groups {
            for other in &groups {
                let summary = summarise(&[*one, *other], false, at(NOW));
                let said = format!("{summary:?} of {one:?} and {other:?}");
                assert_eq!(
                    summary.state == ProductState::None,
                    summary.active_count + summary.grace_count == 0,
                    "{said}"
                );
                assert_eq!(summary.state == ProductState::Expired, summary.grace_count > 0, "{said}");
                assert!(summary.state != ProductState::Active || summary.ending_soon_count == 0, "{said}");
                assert!(summary.ending_soon_count <= summary.active_count, "{said}");
                assert!(summary.auto_renew_count <= summary.active_count, "{said}");
                assert!(summary.next_expires_at.is_none_or(|next| next > at(NOW)), "{said}");
                assert!(summary.next_expires_at.is_none() || summary.active_count > 0, "{said}");
                assert!(summary.grace_ends_at.is_none() || summary.grace_count > 0, "{said}");
                assert!(summary.auto_renewal != AutoRenewal::Off || summary.auto_renew_count == 0, "{said}");
                assert!(
                    summary.auto_renewal != AutoRenewal::On || summary.auto_renew_count == summary.active_count,
                    "{said}"
                );
            }
        }
    }

    #[test]
    fn expired_nodes_beside_active_ones_do_not_expire_next() {
        let groups = [
            group(NodeState::Grace, false, Some("2026-03-09 12:00:00"), 2),
            group(NodeState::Assigned, true, Some("2026-04-01 00:00:00"), 4),
            group(NodeState::Assigned, false, Some("2026-03-12 00:00:00"), 1),
        ];
        let summary = summarise(&groups, false, at(NOW));
        assert_eq!((summary.state, summary.auto_renewal), (ProductState::Expired, AutoRenewal::Partly));
        assert_eq!((summary.active_count, summary.grace_count, summary.ending_soon_count), (5, 2, 1));
        assert_eq!(summary.next_expires_at.map(to_wire).as_deref(), Some("2026-03-12 00:00:00"));
        assert_eq!(summary.grace_ends_at.map(to_wire).as_deref(), Some("2026-03-12 12:00:00"));
    }

    #[test]
    fn the_state_follows_the_clock_after_the_summary_was_made() {
        for (active, grace, soon, seconds_left, state) in [
            (0, 0, 0, None, ProductState::None),
            (0, 0, 0, Some(-1), ProductState::None),
            (0, 1, 0, None, ProductState::Expired),
            (2, 0, 0, None, ProductState::Active),
            (2, 0, 0, Some(604_801), ProductState::Active),
            (2, 0, 0, Some(604_800), ProductState::EndingSoon),
            (2, 0, 1, Some(1), ProductState::EndingSoon),
            (2, 0, 1, Some(0), ProductState::Expired),
        ] {
            assert_eq!(product_state(active, grace, soon, seconds_left), state, "{active} {grace} {seconds_left:?}");
        }
    }
}
