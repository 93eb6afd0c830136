//! Referrals: the commission on a referred account's orders, and its states.
//!
//! A commission is a share of an order's total after discounts, less refunds. The rate is the one shown
//! when the referred account signed up. It is pending for 30 days, then available, then moved to the wallet by the
//! referrer; a refund takes it back, in part or whole.
use crate::money::{Money, MoneyError};
use crate::order::{NotAllowed, OrderKind};
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};

/// How many days a commission is pending, counted from its order's payment.
pub const PENDING_DAYS: i64 = 30;
/// The default commission rate of a new shop, in hundredths of a percent.
pub const FIRST_RATE_BASIS_POINTS: u32 = 1_000;

wire_enum! {
    /// The state of a commission.
    CommissionState { Pending = "pending", Available = "available", Moved = "moved", TakenBack = "taken_back" }
}

wire_enum! {
    /// An event of a commission.
    CommissionEvent {
        /// Its 30 days are over.
        Mature = "mature",
        /// The referrer moves it to the wallet.
        Move = "move",
        /// Its order was refunded in full.
        TakeBack = "take_back",
    }
}

/// The transition table of commissions; any transition not in it is refused.
pub fn next_commission_state(
    state: CommissionState,
    event: CommissionEvent,
) -> Result<CommissionState, NotAllowed<CommissionState>> {
    use CommissionEvent as E;
    use CommissionState as S;
    match (state, event) {
        (S::Pending, E::Mature) => Ok(S::Available),
        (S::Available, E::Move) => Ok(S::Moved),
        (S::Pending | S::Available | S::Moved, E::TakeBack) => Ok(S::TakenBack),
        _ => Err(NotAllowed { state }),
    }
}

/// Whether this kind of order earns a commission: only sales do. A top-up only moves the customer's own money.
pub fn earns_commission(kind: OrderKind) -> bool {
    match kind {
        OrderKind::Purchase | OrderKind::Renewal | OrderKind::Switch => true,
        OrderKind::TopUp => false,
    }
}

/// The commission of an order: a share of what was paid less refunds, rounded half up to a cent.
/// `rate_basis_points` is at most 10,000.
pub fn commission(kind: OrderKind, paid: Money, refunded: Money, rate_basis_points: u32) -> Result<Money, MoneyError> {
    if paid.is_negative() || refunded.is_negative() || refunded > paid || rate_basis_points > 10_000 {
        return Err(MoneyError::Overflow);
    }
    if !earns_commission(kind) {
        return Ok(Money::ZERO);
    }
    paid.checked_sub(refunded)?.share(rate_basis_points)
}

/// When the commission of an order paid at this time becomes available.
pub fn available_at(paid_at: NaiveDateTime) -> Option<NaiveDateTime> {
    paid_at.checked_add_signed(TimeDelta::days(PENDING_DAYS))
}

/// Where the commission taken back by a refund comes from. The three parts add up to the amount taken back.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TakenBack {
    /// From the commission itself, if not moved yet.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub from_commission: Money,
    /// From the wallet, never more than its balance.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub from_wallet: Money,
    /// The shortfall of the wallet: later commissions pay it off before they can be moved.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub owed: Money,
}

/// What a refund takes back of a commission in this state that was `before` and becomes `after`.
pub fn take_back(
    state: CommissionState,
    before: Money,
    after: Money,
    wallet_balance: Money,
) -> Result<TakenBack, MoneyError> {
    let amount = before.checked_sub(after)?;
    if amount.is_negative() || after.is_negative() || wallet_balance.is_negative() {
        return Err(MoneyError::Overflow);
    }
    let nothing = TakenBack { from_commission: Money::ZERO, from_wallet: Money::ZERO, owed: Money::ZERO };
    Ok(match state {
        CommissionState::Pending | CommissionState::Available => TakenBack { from_commission: amount, ..nothing },
        CommissionState::Moved => {
            let from_wallet = amount.min(wallet_balance);
            TakenBack { from_wallet, owed: amount.checked_sub(from_wallet)?, ..nothing }
        }
        CommissionState::TakenBack => nothing,
    })
}

/// How much of this available commission can be moved to the wallet, given the amount owed.
pub fn movable(available: Money, owed: Money) -> Result<Money, MoneyError> {
    available.checked_sub(owed).map(|amount| amount.max(Money::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    #[test]
    fn only_the_transitions_of_the_table_are_allowed() {
        let allowed: Vec<String> = CommissionState::ALL
            .iter()
            .flat_map(|state| CommissionEvent::ALL.iter().map(move |event| (*state, *event)))
            .filter_map(|(state, event)| {
                let next = next_commission_state(state, event).ok()?;
                Some(format!("{} {} {}", state.as_str(), event.as_str(), next.as_str()))
            })
            .collect();
        assert_eq!(
            allowed,
            [
                "pending mature available",
                "pending take_back taken_back",
                "available move moved",
                "available take_back taken_back",
                "moved take_back taken_back",
            ]
        );
    }

    #[test]
    fn a_commission_is_a_share_of_what_was_kept() {
        let money = Money::from_minor;
        for (kind, paid, refunded, rate, expected) in [
            (OrderKind::Purchase, 1_500, 0, 1_000, 150),
            (OrderKind::Renewal, 1_505, 0, 1_000, 151),
            (OrderKind::Purchase, 1_500, 500, 1_000, 100),
            (OrderKind::Purchase, 1_500, 1_500, 1_000, 0),
            (OrderKind::TopUp, 1_500, 0, 1_000, 0),
            (OrderKind::Switch, 0, 0, 1_000, 0),
        ] {
            assert_eq!(commission(kind, money(paid), money(refunded), rate), Ok(money(expected)), "{kind:?} {paid}");
        }
        for (paid, refunded, rate) in [(1, 2, 1_000), (-1, -2, 1_000), (1, -1, 1_000), (1, 0, 10_001)] {
            assert!(commission(OrderKind::Purchase, money(paid), money(refunded), rate).is_err());
        }
    }

    #[test]
    fn a_refund_takes_back_from_where_the_money_is() {
        let money = Money::from_minor;
        let taken = |state, before, after, wallet| {
            take_back(state, money(before), money(after), money(wallet))
                .map(|taken| (taken.from_commission.minor(), taken.from_wallet.minor(), taken.owed.minor()))
        };
        assert_eq!(taken(CommissionState::Pending, 150, 50, 0), Ok((100, 0, 0)));
        assert_eq!(taken(CommissionState::Available, 150, 0, 0), Ok((150, 0, 0)));
        assert_eq!(taken(CommissionState::Moved, 150, 0, 1_000), Ok((0, 150, 0)));
        assert_eq!(taken(CommissionState::Moved, 150, 0, 40), Ok((0, 40, 110)));
        assert_eq!(taken(CommissionState::TakenBack, 150, 0, 40), Ok((0, 0, 0)));
        assert_eq!(taken(CommissionState::Pending, 50, 150, 0), Err(MoneyError::Overflow));
        assert_eq!(movable(money(100), money(110)), Ok(Money::ZERO));
        assert_eq!(movable(money(200), money(110)), Ok(money(90)));
    }

    #[test]
    fn a_commission_is_available_after_thirty_days() {
        let paid_at = from_wire("2026-01-31 08:00:00").expect("a time");
        assert_eq!(available_at(paid_at), from_wire("2026-03-02 08:00:00"));
    }
}
