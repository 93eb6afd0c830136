//! Returns: money of a payment that its gateway took back.
use crate::money::{Money, MoneyError};
use crate::wire_enum::wire_enum;
use chrono::NaiveDateTime;

wire_enum! {
    /// Why a gateway took money back.
    ReturnKind {
        /// It was refunded at the gateway, not by the shop.
        Refund = "refund",
        /// The customer disputed it with the bank: a chargeback.
        Dispute = "dispute",
        /// It turned out not to have been paid, as when a crypto transaction is replaced.
        Invalid = "invalid",
    }
}

wire_enum! {
    /// How far a return has come.
    ReturnState {
        /// A dispute that is not decided. The money is gone meanwhile.
        Open = "open",
        /// The money is gone for good.
        Final = "final",
        /// The money is back: the dispute was won, the refund failed, or the payment is valid after all.
        Undone = "undone",
    }
}

wire_enum! {
    /// What happens to the proxies of a customer who owes money.
    WhenOwed {
        /// They work on.
        Keep = "keep",
        /// They do not work until the debt is paid.
        Suspend = "suspend",
        /// Those bought with the money end, and what is unused of them pays the debt.
        End = "end",
    }
}

impl ReturnState {
    /// Whether the gateway has the money.
    pub fn takes(self) -> bool {
        self != ReturnState::Undone
    }
}

/// A gateway's report of a return, after verification of its source.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReturnReport {
    /// The gateway's id of it.
    pub reference: String,
    pub kind: ReturnKind,
    pub state: ReturnState,
    /// In the currency of the charge; of what is invalid, what is left of the payment at the gateway.
    pub amount: Money,
    pub currency: String,
    /// The gateway's word for why, such as `fraudulent`; may be empty.
    pub reason: String,
    /// Until when evidence can be handed in.
    pub due_at: Option<NaiveDateTime>,
}

/// Whether a return goes from one state to another. Reports arrive in any order, so a step back is an old report. A dispute is decided once, a refund
/// can fail after it was made, and what is invalid can be valid again.
pub fn return_advances(kind: ReturnKind, from: ReturnState, to: ReturnState) -> bool {
    use ReturnState::{Final, Open, Undone};
    match kind {
        ReturnKind::Dispute => from == Open && to != Open,
        ReturnKind::Refund => matches!((from, to), (Open, Final) | (Open | Final, Undone)),
        ReturnKind::Invalid => from != to,
    }
}

/// How an amount is shared, in this order: each gets what it claims, as long as something is left. What was credited for a payment is shared among its
/// returns like this, and a debt among the orders that lose by it.
pub fn shared_in_turn(amount: Money, claims: impl IntoIterator<Item = Money>) -> Result<Vec<Money>, MoneyError> {
    let mut left = amount;
    let share = |claim: Money| {
        let share = claim.min(left).max(Money::ZERO);
        left = left.checked_sub(share)?;
        Ok(share)
    };
    claims.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_only_advances() {
        use ReturnKind::{Dispute, Invalid, Refund};
        use ReturnState::{Final, Open, Undone};
        let steps = |kind| {
            let all = ReturnState::ALL.iter();
            let pairs = all.flat_map(|from| ReturnState::ALL.iter().map(move |to| (*from, *to)));
            pairs.filter(|(from, to)| return_advances(kind, *from, *to)).collect::<Vec<_>>()
        };
        assert_eq!(steps(Dispute), [(Open, Final), (Open, Undone)]);
        assert_eq!(steps(Refund), [(Open, Final), (Open, Undone), (Final, Undone)]);
        assert_eq!(steps(Invalid).len(), 6);
    }

    #[test]
    fn no_more_is_taken_than_was_credited() {
        let taken = |credited: i64, claims: &[i64]| {
            let claims = claims.iter().map(|minor| Money::from_minor(*minor));
            let taken = shared_in_turn(Money::from_minor(credited), claims).expect("amounts");
            taken.into_iter().map(Money::minor).collect::<Vec<_>>()
        };
        assert_eq!(taken(1_000, &[400, 0, 700, 5]), [400, 0, 600, 0]);
        assert_eq!(taken(0, &[400]), [0]);
        assert_eq!(taken(1_000, &[-5, i64::MAX]), [0, 1_000]);
        assert!(taken(1_000, &[]).is_empty());
    }
}
