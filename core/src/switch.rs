//! Switches: replacing a node by another: the free quota, the fee, and the price difference between tiers.
use crate::code::Code;
use crate::money::{Money, MoneyError};
use crate::tier::PRICE_PERIOD_DAYS;
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The window of the free quota, in days.
pub const QUOTA_DAYS: i64 = 30;
/// One free switch per this many nodes of a plan, but at least one.
const NODES_PER_FREE_SWITCH: u32 = 10;
/// The maximum number of nodes per call.
pub const MAX_SWITCHES: usize = 500;
/// The minimum time between two switches of a node.
pub const COOL_DOWN_MINUTES: i64 = 10;
/// The maximum length of a customer's reason, in characters.
pub const REASON_MAX_LENGTH: usize = 200;

wire_enum! {
    /// How a node is switched; each mode has its own call.
    SwitchMode {
        /// `SwitchNode`: free, within the quota, to a node of the same tier chosen by the shop.
        Quota = "quota",
        /// `SwitchNodeByUnitPrice`: at the tier's price, to a node of the same tier chosen by the shop.
        UnitPrice = "unit_price",
        /// `MySpecifySwitchNode`: to the node that the customer picked, free within the quota, then at the tier's price.
        Specified = "specified",
        /// `Operator/ReplaceNode`: free, by the seller, in place of a faulty node.
        Replaced = "replaced",
    }
}

/// The quota of free switches of a plan. Times on the wire are UTC.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SwitchQuota {
    pub limit: u32,
    pub used: u32,
    pub left: u32,
    /// When the oldest counted switch leaves the window; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::time::wire_option")]
    #[cfg_attr(feature = "tsify", tsify(type = "string", optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub resets_at: Option<NaiveDateTime>,
}

impl SwitchQuota {
    /// The quota after this many more free switches.
    pub fn after(self, switches: u32) -> SwitchQuota {
        let used = self.used.saturating_add(switches);
        SwitchQuota { used, left: self.limit.saturating_sub(used), ..self }
    }
}

/// The quota of a plan with this many nodes and free switches at these times: 10 % of the nodes, rounded down, but at least one. A switch
/// counts for 30 days.
pub fn switch_quota(node_count: u32, free_switches: &[NaiveDateTime], now: NaiveDateTime) -> SwitchQuota {
    let window = TimeDelta::days(QUOTA_DAYS);
    let counted = || free_switches.iter().filter_map(|at| at.checked_add_signed(window)).filter(|ends| *ends > now);
    let limit = (node_count / NODES_PER_FREE_SWITCH).max(1);
    let used = u32::try_from(counted().count()).unwrap_or(u32::MAX);
    SwitchQuota { limit, used, left: limit.saturating_sub(used), resets_at: counted().min() }
}

/// The remaining cooldown of a node last switched at this time; `None` if it is over.
pub fn remaining_cooldown(switched_at: Option<NaiveDateTime>, now: NaiveDateTime) -> Option<TimeDelta> {
    let rested_at = switched_at?.checked_add_signed(TimeDelta::minutes(COOL_DOWN_MINUTES))?;
    (rested_at > now).then(|| rested_at - now)
}

/// A switch to be priced.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SwitchRequest {
    pub mode: SwitchMode,
    /// The plan's remaining free switches.
    pub quota_left: u32,
    /// The old tier's price per IP and 30 days.
    pub old_price: Money,
    /// The new tier's price per IP and 30 days; equal to the old one if the tier stays the same.
    pub new_price: Money,
    /// Seconds until the node expires.
    pub remaining_seconds: u32,
    /// The order line with which the node was bought, before discounts.
    pub line_amount: Money,
    /// That order line after discounts, which then apply to the difference too.
    pub line_net: Money,
}

/// The price of a switch: the sum of `fee` and `difference`; a negative sum is credited to the wallet.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SwitchPrice {
    pub uses_quota: bool,
    /// The fee of the switch: the new tier's price, or zero if it is free.
    pub fee: Money,
    /// The value of the remaining time at the new tier minus its value at the old one.
    pub difference: Money,
    /// The amount charged or, if negative, credited.
    pub cost: Money,
}

/// Why a switch is impossible.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SwitchError {
    /// Code 4003.
    QuotaUsed,
    /// Only a replacement chosen by the customer may be of another tier.
    OtherTier,
    /// The node has expired.
    Ended,
    Overflow,
}

impl SwitchError {
    /// The response code of the refusal.
    pub fn code(self) -> Code {
        match self {
            SwitchError::QuotaUsed => Code::SwitchQuotaUsed,
            SwitchError::OtherTier | SwitchError::Ended => Code::StateForbids,
            SwitchError::Overflow => Code::Internal,
        }
    }
}

impl From<MoneyError> for SwitchError {
    fn from(_: MoneyError) -> SwitchError {
        SwitchError::Overflow
    }
}

/// Prices a switch.
pub fn price_switch(request: &SwitchRequest) -> Result<SwitchPrice, SwitchError> {
    if request.remaining_seconds == 0 {
        return Err(SwitchError::Ended);
    }
    let uses_quota = match request.mode {
        SwitchMode::Quota if request.quota_left == 0 => return Err(SwitchError::QuotaUsed),
        SwitchMode::Quota => true,
        SwitchMode::UnitPrice | SwitchMode::Replaced => false,
        SwitchMode::Specified => request.quota_left > 0,
    };
    if request.mode != SwitchMode::Specified && request.old_price != request.new_price {
        return Err(SwitchError::OtherTier);
    }
    let is_free = uses_quota || request.mode == SwitchMode::Replaced;
    let fee = if is_free { Money::ZERO } else { request.new_price };
    let worth = |price| value_of_time(price, request.remaining_seconds, request.line_net, request.line_amount);
    let difference = worth(request.new_price)?.checked_sub(worth(request.old_price)?)?;
    Ok(SwitchPrice { uses_quota, fee, difference, cost: fee.checked_add(difference)? })
}

/// The value of this many seconds of a node at this price (per 30 days), for a customer who paid `net` for a list price of `amount`,
/// rounded half up to a cent. Changing tiers costs the difference of two values, so a series of changes at one moment costs the same as a
/// direct change.
pub fn value_of_time(price: Money, seconds: u32, net: Money, amount: Money) -> Result<Money, MoneyError> {
    if price.is_negative() || net.is_negative() || net > amount {
        return Err(MoneyError::Overflow);
    }
    let list = i128::from(price.minor()) * i128::from(seconds);
    let period = i128::from(PRICE_PERIOD_DAYS) * 86_400;
    // The list price was zero, so there is no discount to apply.
    let (net, amount) = if amount.is_zero() { (1, 1) } else { (i128::from(net.minor()), i128::from(amount.minor())) };
    let product = list.checked_mul(net).ok_or(MoneyError::Overflow)?;
    let divisor = period.checked_mul(amount).ok_or(MoneyError::Overflow)?;
    let rounded = product.checked_add(divisor / 2).ok_or(MoneyError::Overflow)? / divisor;
    i64::try_from(rounded).map(Money::from_minor).map_err(|_| MoneyError::Overflow)
}

/// Follows switches, given oldest first as old and new node: for each of these nodes, the positions of the switches that replaced it and its
/// replacements, in order. A node that comes back in another's place is followed from there, not from its earlier time.
pub fn follow_switches(nodes: &[i64], switches: &[(i64, i64)]) -> Vec<Vec<usize>> {
    let mut steps: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut places: HashMap<i64, usize> = nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect();
    for (step, (old, new)) in switches.iter().enumerate() {
        if let Some(place) = places.remove(old) {
            steps[place].push(step);
            places.insert(*new, place);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    const DAY: u32 = 86_400;

    fn request(mode: SwitchMode, quota_left: u32, old_minor: i64, new_minor: i64, days: u32) -> SwitchRequest {
        SwitchRequest {
            mode,
            quota_left,
            old_price: Money::from_minor(old_minor),
            new_price: Money::from_minor(new_minor),
            remaining_seconds: days * DAY,
            line_amount: Money::from_minor(1_000),
            line_net: Money::from_minor(1_000),
        }
    }

    #[test]
    fn impossible_switches_are_refused() {
        for (request, error) in [
            (request(SwitchMode::Quota, 0, 500, 500, 10), SwitchError::QuotaUsed),
            (request(SwitchMode::Quota, 1, 500, 900, 10), SwitchError::OtherTier),
            (request(SwitchMode::UnitPrice, 1, 500, 900, 10), SwitchError::OtherTier),
            (request(SwitchMode::Specified, 1, 500, 900, 0), SwitchError::Ended),
        ] {
            assert_eq!(price_switch(&request), Err(error), "{request:?}");
        }
        let more_than_listed =
            SwitchRequest { line_net: Money::from_minor(1_001), ..request(SwitchMode::Quota, 1, 5, 5, 1) };
        assert_eq!(price_switch(&more_than_listed), Err(SwitchError::Overflow));
    }

    #[test]
    fn switches_are_followed_from_each_node_in_order() {
        let followed = |nodes: &[i64], switches: &[(i64, i64)]| follow_switches(nodes, switches);
        assert!(followed(&[], &[(1, 2)]).is_empty());
        let none: Vec<usize> = Vec::new();
        assert_eq!(followed(&[1, 2], &[]), [none.clone(), none.clone()]);
        assert_eq!(followed(&[1, 2, 3], &[(1, 10), (9, 8), (10, 11), (3, 12)]), [vec![0, 2], none, vec![3]]);
        // A node that returns in its own place, and one that returns in another's.
        assert_eq!(followed(&[1], &[(1, 2), (2, 1), (1, 3)]), [vec![0, 1, 2]]);
        assert_eq!(followed(&[1, 2], &[(1, 5), (2, 1), (1, 6)]), [vec![0], vec![1, 2]]);
        // Bought again after it was replaced: that switch is of the later purchase.
        assert_eq!(followed(&[1], &[(1, 2), (1, 3)]), [vec![0]]);
    }

    #[test]
    fn a_node_has_a_cooldown_of_ten_minutes() {
        let time = |text| from_wire(text).expect("a time");
        let at = Some(time("2026-03-01 12:00:00"));
        assert_eq!(remaining_cooldown(None, time("2026-03-01 12:00:00")), None);
        assert_eq!(remaining_cooldown(at, time("2026-03-01 12:09:59")), Some(TimeDelta::seconds(1)));
        assert_eq!(remaining_cooldown(at, time("2026-03-01 12:10:00")), None);
    }

    #[test]
    fn a_switch_costs_its_fee_and_the_difference_for_the_remaining_time() {
        let price = |mode, quota, old, new, days| {
            price_switch(&request(mode, quota, old, new, days))
                .map(|price| (price.uses_quota, price.fee.minor(), price.difference.minor(), price.cost.minor()))
        };
        assert_eq!(price(SwitchMode::Quota, 1, 500, 500, 10), Ok((true, 0, 0, 0)));
        assert_eq!(price(SwitchMode::UnitPrice, 1, 500, 500, 10), Ok((false, 500, 0, 500)));
        assert_eq!(price(SwitchMode::Replaced, 0, 500, 500, 10), Ok((false, 0, 0, 0)));
        assert_eq!(price(SwitchMode::Specified, 1, 500, 1_400, 10), Ok((true, 0, 300, 300)));
        assert_eq!(price(SwitchMode::Specified, 0, 500, 500, 10), Ok((false, 500, 0, 500)));
        assert_eq!(price(SwitchMode::Specified, 1, 1_400, 500, 15), Ok((true, 0, -450, -450)));
    }

    #[test]
    fn the_orders_discount_applies_to_the_difference() {
        let half =
            SwitchRequest { line_net: Money::from_minor(500), ..request(SwitchMode::Specified, 1, 500, 1_400, 30) };
        assert_eq!(price_switch(&half).map(|price| price.difference.minor()), Ok(450));
    }

    #[test]
    fn the_quota_is_a_tenth_of_the_nodes_and_a_switch_counts_for_thirty_days() {
        let time = |text| from_wire(text).expect("a time");
        let now = time("2026-03-31 12:00:00");
        let used = [time("2026-03-01 12:00:00"), time("2026-03-01 12:00:01"), time("2026-03-20 00:00:00")];
        for (nodes, limit, left) in [(0, 1, 0), (9, 1, 0), (19, 1, 0), (29, 2, 0), (100, 10, 8)] {
            let quota = switch_quota(nodes, &used, now);
            assert_eq!((quota.limit, quota.used, quota.left), (limit, 2, left), "{nodes}");
            let after = quota.after(1);
            assert_eq!((after.limit, after.used, after.left), (limit, 3, left.saturating_sub(1)), "{nodes}");
            assert_eq!(after.resets_at, quota.resets_at);
            assert_eq!(quota.resets_at, from_wire("2026-03-31 12:00:01"));
        }
        assert_eq!(switch_quota(5, &[], now), SwitchQuota { limit: 1, used: 0, left: 1, resets_at: None });
    }
}
