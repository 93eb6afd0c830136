//! Returns: money of a payment that went back to where it came from, because its gateway took it back or the shop refunded it there.
use crate::checks::Checks;
use crate::exchange::credit;
use crate::field_errors::FieldErrors;
use crate::money::{Money, MoneyError};
use crate::payment_case::NOTE_MAX_LENGTH;
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};

/// The maximum length of a gateway's or bank's id of a refund, as an operator enters it.
pub const REFERENCE_MAX_LENGTH: usize = 100;

wire_enum! {
    /// Why money of a payment went back.
    ReturnKind {
        /// It was refunded at the gateway, not by the shop.
        Refund = "refund",
        /// The customer disputed it with the bank: a chargeback.
        Dispute = "dispute",
        /// It turned out not to have been paid, as when a crypto transaction is replaced.
        Invalid = "invalid",
        /// The shop refunded it.
        ByShop = "by_shop",
    }
}

wire_enum! {
    /// How far a refund that the shop makes to where the money came from has come.
    RefundProgress {
        /// The gateway does not have it yet.
        Requested = "requested",
        /// An operator sends it, and records the outcome.
        ByHand = "by_hand",
        /// The gateway has it.
        OnItsWay = "on_its_way",
        /// The customer has to say where it goes.
        ToBeClaimed = "to_be_claimed",
        Arrived = "arrived",
        /// The money is back in the wallet.
        Failed = "failed",
    }
}

wire_enum! {
    /// How far a return has come.
    ReturnState {
        /// A dispute that is not decided, or a refund that has not arrived. The money is gone meanwhile.
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
        ReturnKind::Refund | ReturnKind::ByShop => matches!((from, to), (Open, Final) | (Open | Final, Undone)),
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

/// What a refund of `amount` is at the gateway, if of the payment `left` is left in the shop and `left_there` at the gateway: all of it if that is all,
/// otherwise its share, rounded down.
pub fn at_gateway(amount: Money, left: Money, left_there: Money) -> Result<Money, MoneyError> {
    credit(amount, left, left_there)
}

/// When the gateway of a refund that was asked for this long ago is asked about it again.
pub fn next_look(age: TimeDelta) -> TimeDelta {
    match age.num_minutes() {
        ..1 => TimeDelta::seconds(5),
        1..60 => TimeDelta::minutes(1),
        60..1_440 => TimeDelta::minutes(10),
        _ => TimeDelta::hours(1),
    }
}

/// What an operator records of a refund that was sent by hand.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct SettleRefundForm {
    pub return_id: i64,
    /// Whether it was sent; otherwise the money goes back to the wallet.
    pub has_arrived: bool,
    /// The bank's or gateway's id of it; may be empty.
    pub reference: String,
    /// May be empty.
    pub note: String,
}

/// The reference and the note.
pub fn validate_settle_refund(form: &SettleRefundForm) -> Result<(String, String), FieldErrors> {
    let mut checks = Checks::default();
    let reference = checks.line("Reference", &form.reference, REFERENCE_MAX_LENGTH);
    let note = checks.lines("Note", &form.note, NOTE_MAX_LENGTH);
    checks.finish((reference, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_payment_go_back_in_the_currency_of_the_charge() {
        let there = |amount, left, left_there| {
            at_gateway(Money::from_minor(amount), Money::from_minor(left), Money::from_minor(left_there))
                .map(Money::minor)
        };
        assert_eq!(there(500, 2_500, 2_500), Ok(500));
        // 25.00 in dollars for 178.13 in yuan, in three parts: nothing is left at the end.
        assert_eq!((there(1_000, 2_500, 17_813), there(1_000, 1_500, 10_688)), (Ok(7_125), Ok(7_125)));
        assert_eq!(there(500, 500, 3_563), Ok(3_563));
        assert!(there(500, 0, 0).is_err());
    }

    #[test]
    fn a_refund_is_looked_at_less_and_less() {
        let seconds = |age| next_look(TimeDelta::seconds(age)).num_seconds();
        assert_eq!([seconds(-5), seconds(0), seconds(60), seconds(3_600), seconds(90_000)], [5, 5, 60, 600, 3_600]);
    }

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
        assert_eq!(steps(ReturnKind::ByShop), steps(Refund));
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
