//! Referrals: the commission on a referred account's orders, and its states.
//!
//! A commission is a share of an order's total after discounts, less refunds. Its rate is that of the rule in force when the referred
//! account signed up. It is pending for 30 days, then available, then moved to the wallet by the referrer; a refund takes it back, in part
//! or in full. If a self-referral is suspected, the commission is held until an operator has reviewed it.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::money::{Money, MoneyError, display_percent};
use crate::operator_forms::{REASON_MAX_LENGTH, basis_points};
use crate::order::{NotAllowed, OrderKind};
use crate::rule::Rule;
use crate::time::from_wire;
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How many days a commission is pending after its order's payment.
pub const PENDING_DAYS: i64 = 30;
/// The highest commission rate, in hundredths of a percent.
pub const MAX_RATE_BASIS_POINTS: u32 = 5_000;
/// The number of months in the chart of commissions.
pub const CHART_MONTHS: u32 = 12;

wire_enum! {
    /// The state of a commission.
    CommissionState {
        Pending = "pending",
        Available = "available",
        Moved = "moved",
        /// Its order was refunded in full.
        TakenBack = "taken_back",
        /// An operator found that the referrer's own orders earned it.
        Refused = "refused",
    }
}

wire_enum! {
    /// An event of a commission.
    CommissionEvent {
        /// Its 30 days have passed.
        Mature = "mature",
        /// The referrer moves it to the wallet.
        Move = "move",
        /// Its order was refunded in full.
        TakeBack = "take_back",
        /// An operator refuses it after a review.
        Refuse = "refuse",
    }
}

wire_enum! {
    /// Whether a referral is marked as a possible self-referral, and the operator's decision.
    ReferralReview { None = "none", ToReview = "to_review", Approved = "approved", Refused = "refused" }
}

wire_enum! {
    /// An operator's decision about a referral that was marked for review.
    ReferralDecision { Approve = "approve", Refuse = "refuse" }
}

wire_enum! {
    /// Why a referral looks like a self-referral.
    ReferralDoubt {
        /// Both signed in with the same device.
        SameDevice = "same_device",
        /// Both signed in from the same network address.
        SameAddress = "same_address",
        /// Both pay with a card of the same brand, last digits and expiry.
        SameCard = "same_card",
        /// Both gave the same tax number, phone number, postal address or company name.
        SameDetails = "same_details",
    }
}

impl ReferralReview {
    /// Whether commissions are held: they stay pending until an operator has decided.
    pub fn holds(self) -> bool {
        self == ReferralReview::ToReview
    }

    /// Whether further orders earn a commission.
    pub fn earns(self) -> bool {
        self != ReferralReview::Refused
    }

    /// The review after this decision. Only a referral marked for review can be decided.
    pub fn decided(self, decision: ReferralDecision) -> Result<ReferralReview, NotAllowed<ReferralReview>> {
        match (self, decision) {
            (ReferralReview::ToReview, ReferralDecision::Approve) => Ok(ReferralReview::Approved),
            (ReferralReview::ToReview, ReferralDecision::Refuse) => Ok(ReferralReview::Refused),
            _ => Err(NotAllowed { state: self }),
        }
    }
}

/// Traces of an account, from which accounts of the same person are recognised. Values are compared exactly.
#[derive(Clone, Debug, Default)]
pub struct AccountTraces {
    /// Hashes of the ids of known devices.
    pub devices: BTreeSet<String>,
    /// Senders of its sessions (`network::sender_key`).
    pub senders: BTreeSet<String>,
    /// Brand, last four digits and expiry of saved cards.
    pub cards: BTreeSet<String>,
    /// Details entered for invoices; see `add_detail`.
    pub details: BTreeSet<String>,
}

/// Shorter details, such as a house number, are not distinctive.
const DETAIL_MIN_CHARACTERS: usize = 6;

impl AccountTraces {
    /// Adds a detail of this kind, reduced to letters and digits and in lower case. Details that are too short are ignored.
    pub fn add_detail(&mut self, kind: &str, text: &str) {
        let plain: String = text.chars().filter(|character| character.is_alphanumeric()).collect();
        if plain.chars().count() >= DETAIL_MIN_CHARACTERS {
            self.details.insert(format!("{kind} {}", plain.to_lowercase()));
        }
    }
}

/// Why these two accounts may belong to the same person; empty if they share no trace.
pub fn referral_doubts(referrer: &AccountTraces, referred: &AccountTraces) -> Vec<ReferralDoubt> {
    let shared = [
        (&referrer.devices, &referred.devices, ReferralDoubt::SameDevice),
        (&referrer.senders, &referred.senders, ReferralDoubt::SameAddress),
        (&referrer.cards, &referred.cards, ReferralDoubt::SameCard),
        (&referrer.details, &referred.details, ReferralDoubt::SameDetails),
    ];
    shared.into_iter().filter(|(one, other, _)| !one.is_disjoint(other)).map(|(.., doubt)| doubt).collect()
}

/// A new rule, as entered by an operator.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct ReferralRuleForm {
    /// The commission in percent of an order's total, with up to two decimal places; `0` for none.
    pub rate_percent: String,
    /// `YYYY-MM-DD HH:mm:ss` in UTC; empty for now. It applies to accounts that sign up from this time on.
    pub valid_from: String,
}

/// A validated rule.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReferralRule {
    pub rate_basis_points: u32,
    pub valid_from: NaiveDateTime,
}

/// Validates a new rule. It cannot begin in the past, so that existing accounts keep their rule.
pub fn validate_referral_rule(form: &ReferralRuleForm, now: NaiveDateTime) -> Result<ReferralRule, FieldErrors> {
    let mut checks = Checks::default();
    let rate = form.rate_percent.trim();
    let rate_basis_points = basis_points(rate).filter(|rate| *rate <= MAX_RATE_BASIS_POINTS);
    if rate.is_empty() {
        checks.broken("RatePercent", Rule::Required, &[]);
    } else if rate_basis_points.is_none() {
        checks.broken("RatePercent", Rule::Discount, &[("Max", display_percent(MAX_RATE_BASIS_POINTS))]);
    }
    let valid_from = match form.valid_from.trim() {
        "" => Some(now),
        text => from_wire(text),
    };
    match valid_from {
        None => checks.broken("ValidFrom", Rule::Time, &[]),
        Some(from) if from < now => checks.broken("ValidFrom", Rule::TimeInFuture, &[]),
        Some(_) => {}
    }
    let rule = ReferralRule {
        rate_basis_points: rate_basis_points.unwrap_or_default(),
        valid_from: valid_from.unwrap_or(now),
    };
    checks.finish(rule)
}

/// Validates the note of a review, for other operators. May be empty.
pub fn validate_review_note(note: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let note = checks.line("Note", note, REASON_MAX_LENGTH);
    checks.finish(note)
}

/// An e-mail address masked for others: the first character of its local part, and its domain.
pub fn masked_email(email: &str) -> String {
    let (name, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let first: String = name.chars().take(1).collect();
    format!("{first}•••@{domain}")
}

/// The invitation link that a referrer shares.
pub fn referral_link(public_url: &str, invite_code: &str) -> String {
    format!("{}/?{}={invite_code}", public_url.trim_end_matches('/'), crate::constants::INVITE_CODE_PARAMETER)
}

/// The transition table of commissions; any other transition is refused.
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
        (S::Pending, E::Refuse) => Ok(S::Refused),
        _ => Err(NotAllowed { state }),
    }
}

/// Whether this kind of order earns a commission: only sales do. A top-up is only the customer's own money.
pub fn earns_commission(kind: OrderKind) -> bool {
    match kind {
        OrderKind::Purchase | OrderKind::Renewal | OrderKind::Switch => true,
        OrderKind::TopUp => false,
    }
}

/// The commission of an order: a share of the amount paid less refunds, rounded half up to a cent. `rate_basis_points` is at most 10,000.
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

/// The sources of a commission that a refund takes back. The three parts add up to the amount taken back.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TakenBack {
    /// From the commission itself, if not yet moved.
    pub from_commission: Money,
    /// From the wallet, never more than its balance.
    pub from_wallet: Money,
    /// The shortfall of the wallet, which is deducted from later commissions before they can be moved.
    pub owed: Money,
}

/// What a refund takes back of a commission in this state that was `before` and becomes `after`.
pub fn commission_clawback(
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
        CommissionState::TakenBack | CommissionState::Refused => nothing,
    })
}

/// How much of this available commission can be moved to the wallet, given the amount owed.
pub fn movable_amount(available: Money, owed: Money) -> Result<Money, MoneyError> {
    available.checked_sub(owed).map(|amount| amount.max(Money::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rule_keys;

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
                "pending refuse refused",
                "available move moved",
                "available take_back taken_back",
                "moved take_back taken_back",
            ]
        );
    }

    #[test]
    fn a_commission_is_a_share_of_the_unrefunded_total() {
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
    fn a_refund_takes_back_from_commission_wallet_or_debt() {
        let money = Money::from_minor;
        let taken = |state, before, after, wallet| {
            commission_clawback(state, money(before), money(after), money(wallet))
                .map(|taken| (taken.from_commission.minor(), taken.from_wallet.minor(), taken.owed.minor()))
        };
        assert_eq!(taken(CommissionState::Pending, 150, 50, 0), Ok((100, 0, 0)));
        assert_eq!(taken(CommissionState::Available, 150, 0, 0), Ok((150, 0, 0)));
        assert_eq!(taken(CommissionState::Moved, 150, 0, 1_000), Ok((0, 150, 0)));
        assert_eq!(taken(CommissionState::Moved, 150, 0, 40), Ok((0, 40, 110)));
        assert_eq!(taken(CommissionState::TakenBack, 150, 0, 40), Ok((0, 0, 0)));
        assert_eq!(taken(CommissionState::Refused, 150, 0, 40), Ok((0, 0, 0)));
        assert_eq!(taken(CommissionState::Pending, 50, 150, 0), Err(MoneyError::Overflow));
        assert_eq!(movable_amount(money(100), money(110)), Ok(Money::ZERO));
        assert_eq!(movable_amount(money(200), money(110)), Ok(money(90)));
    }

    #[test]
    fn accounts_of_the_same_person_share_a_trace() {
        let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<_>>();
        let mut ann =
            AccountTraces { devices: set(&["d1", "d2"]), senders: set(&["203.0.113.9"]), ..AccountTraces::default() };
        ann.add_detail("tax number", "DE 123 456 789");
        ann.add_detail("address", "12");
        let mut bob =
            AccountTraces { devices: set(&["d3"]), senders: set(&["203.0.113.10"]), ..AccountTraces::default() };
        bob.add_detail("phone", "DE123456789");
        bob.add_detail("address", "12");
        assert_eq!(referral_doubts(&ann, &bob), []);
        assert_eq!(referral_doubts(&AccountTraces::default(), &AccountTraces::default()), []);
        bob.add_detail("tax number", "de123456789");
        bob.devices.insert("d2".to_owned());
        assert_eq!(referral_doubts(&ann, &bob), [ReferralDoubt::SameDevice, ReferralDoubt::SameDetails]);
        ann.cards = set(&["visa 4242 12/2030"]);
        bob.cards = set(&["visa 4242 12/2030", "visa 1881 01/2031"]);
        bob.senders.insert("203.0.113.9".to_owned());
        assert_eq!(referral_doubts(&ann, &bob), ReferralDoubt::ALL);
    }

    #[test]
    fn only_referrals_marked_for_review_are_decided() {
        let decided = |review: ReferralReview, decision| review.decided(decision).ok();
        assert_eq!(decided(ReferralReview::ToReview, ReferralDecision::Approve), Some(ReferralReview::Approved));
        assert_eq!(decided(ReferralReview::ToReview, ReferralDecision::Refuse), Some(ReferralReview::Refused));
        for review in [ReferralReview::None, ReferralReview::Approved, ReferralReview::Refused] {
            assert_eq!(decided(review, ReferralDecision::Refuse), None);
        }
        let held: Vec<_> = ReferralReview::ALL.iter().filter(|review| review.holds()).collect();
        let earning: Vec<_> = ReferralReview::ALL.iter().filter(|review| review.earns()).collect();
        assert_eq!((held.len(), earning.len()), (1, 3));
    }

    #[test]
    fn a_rule_begins_now_or_later() {
        let now = from_wire("2026-11-22 12:00:00").expect("a time");
        let validate = |rate: &str, from: &str| {
            let form = ReferralRuleForm { rate_percent: rate.into(), valid_from: from.into() };
            validate_referral_rule(&form, now).map_err(rule_keys)
        };
        assert_eq!(validate("12.5", ""), Ok(ReferralRule { rate_basis_points: 1_250, valid_from: now }));
        assert_eq!(validate(" 0 ", "2026-12-01 00:00:00").map(|rule| rule.rate_basis_points), Ok(0));
        for (rate, from, broken) in [
            ("", "", "RatePercent:required"),
            ("50.01", "", "RatePercent:discount"),
            ("-1", "", "RatePercent:discount"),
            ("ten", "", "RatePercent:discount"),
            ("10", "tomorrow", "ValidFrom:time"),
            ("10", "2026-11-22 11:59:59", "ValidFrom:timeInFuture"),
        ] {
            assert_eq!(validate(rate, from), Err(vec![broken.to_owned()]));
        }
    }

    #[test]
    fn an_email_address_is_masked_except_first_character_and_domain() {
        for (email, masked) in
            [("ann@example.com", "a•••@example.com"), ("a@b.example", "a•••@b.example"), ("", "•••@")]
        {
            assert_eq!(masked_email(email), masked);
        }
        assert_eq!(referral_link("https://shop.example/", "ABCD2345"), "https://shop.example/?r=ABCD2345");
    }

    #[test]
    fn a_commission_is_available_after_thirty_days() {
        let paid_at = from_wire("2026-01-31 08:00:00").expect("a time");
        assert_eq!(available_at(paid_at), from_wire("2026-03-02 08:00:00"));
    }
}
