//! Orders and payments: their states and transitions, and the evaluation of a gateway's report.
use crate::money::Money;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

/// How long an unpaid order holds its nodes.
pub const HOLD_MINUTES: i64 = 15;

/// How long a top-up can be paid: longer, because it holds nothing.
pub const TOP_UP_HOURS: i64 = 24;

/// How long a top-up by bank transfer can be paid: transfers take days.
pub const TRANSFER_HOURS: i64 = 14 * 24;

wire_enum! {
    /// The state of an order.
    OrderState {
        Unpaid = "unpaid",
        Paid = "paid",
        Fulfilled = "fulfilled",
        PartlyFulfilled = "partly_fulfilled",
        Cancelled = "cancelled",
        Expired = "expired",
        Refunded = "refunded",
    }
}

wire_enum! {
    /// The kind of an order. A top-up is also an order: of money for the wallet.
    OrderKind { Purchase = "purchase", Renewal = "renewal", Switch = "switch", TopUp = "top_up" }
}

wire_enum! {
    /// An event of an order.
    OrderEvent {
        Pay = "pay",
        Fulfil = "fulfil",
        FulfilPartly = "fulfil_partly",
        Cancel = "cancel",
        Expire = "expire",
        Refund = "refund",
    }
}

wire_enum! {
    /// The state of a payment: one attempt to pay.
    PaymentState { Pending = "pending", Succeeded = "succeeded", Failed = "failed", Expired = "expired" }
}

wire_enum! {
    /// An event of a payment.
    PaymentEvent {
        /// The money has arrived.
        Succeed = "succeed",
        /// The gateway has declined it.
        Fail = "fail",
        /// It was not paid, and the gateway is no longer polled.
        Expire = "expire",
    }
}

wire_enum! {
    /// How a payment is made.
    PaymentMethod {
        Wallet = "wallet",
        Sandbox = "sandbox",
        Stripe = "stripe",
        Transfer = "transfer",
        /// Crypto, through BTCPay Server.
        Btcpay = "btcpay",
        /// Chinese wallets, through a gateway that speaks EPay.
        Epay = "epay",
    }
}

wire_enum! {
    /// The kind of an entry in an order's history.
    OrderMilestone {
        Created = "created",
        Paid = "paid",
        Fulfilled = "fulfilled",
        PartlyFulfilled = "partly_fulfilled",
        /// It was refunded in part or in full.
        Refunded = "refunded",
        Cancelled = "cancelled",
        Expired = "expired",
    }
}

/// The current state does not allow this event (code 4005).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NotAllowed<State> {
    pub state: State,
}

/// The transition table of orders; any other transition is refused.
pub fn next_order_state(state: OrderState, event: OrderEvent) -> Result<OrderState, NotAllowed<OrderState>> {
    use OrderEvent as E;
    use OrderState as S;
    match (state, event) {
        (S::Unpaid, E::Pay) => Ok(S::Paid),
        (S::Unpaid, E::Cancel) => Ok(S::Cancelled),
        (S::Unpaid, E::Expire) => Ok(S::Expired),
        (S::Paid, E::Fulfil) => Ok(S::Fulfilled),
        (S::Paid, E::FulfilPartly) => Ok(S::PartlyFulfilled),
        (S::Paid | S::Fulfilled | S::PartlyFulfilled, E::Refund) => Ok(S::Refunded),
        _ => Err(NotAllowed { state }),
    }
}

/// The transition table of payments; any other transition is refused. Money can arrive after a decline or after the payment expired; a
/// succeeded payment is final.
pub fn next_payment_state(state: PaymentState, event: PaymentEvent) -> Result<PaymentState, NotAllowed<PaymentState>> {
    use PaymentEvent as E;
    use PaymentState as S;
    match (state, event) {
        (S::Pending | S::Failed | S::Expired, E::Succeed) => Ok(S::Succeeded),
        (S::Pending, E::Fail) => Ok(S::Failed),
        (S::Pending, E::Expire) => Ok(S::Expired),
        _ => Err(NotAllowed { state }),
    }
}

/// The source states and the target state of an event.
pub fn payment_transition(event: PaymentEvent) -> (Vec<PaymentState>, PaymentState) {
    let steps = PaymentState::ALL.iter().filter_map(|state| Some((*state, next_payment_state(*state, event).ok()?)));
    let (from, to): (Vec<PaymentState>, Vec<PaymentState>) = steps.unzip();
    (from, to.first().copied().unwrap_or(PaymentState::Failed))
}

/// The actions available to a customer for an order in this state, this many seconds before its hold expires.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct OrderActions {
    pub can_pay: bool,
    pub can_cancel: bool,
    /// Whether the state is final, so that polling can stop.
    pub is_settled: bool,
}

pub fn order_actions(state: OrderState, seconds_left: i64) -> OrderActions {
    OrderActions {
        can_pay: seconds_left > 0 && next_order_state(state, OrderEvent::Pay).is_ok(),
        can_cancel: next_order_state(state, OrderEvent::Cancel).is_ok(),
        is_settled: !matches!(state, OrderState::Unpaid | OrderState::Paid),
    }
}

/// Whether this kind of order can be paid by this method. A top-up cannot be paid from the wallet, and only a top-up can be paid by bank
/// transfer, because a hold expires before the money could arrive.
pub fn accepts(kind: OrderKind, method: PaymentMethod) -> bool {
    match method {
        PaymentMethod::Wallet => kind != OrderKind::TopUp,
        PaymentMethod::Transfer => kind == OrderKind::TopUp,
        PaymentMethod::Sandbox | PaymentMethod::Stripe | PaymentMethod::Btcpay | PaymentMethod::Epay => true,
    }
}

/// For how many hours a top-up by this method can be paid.
pub fn top_up_hours(method: PaymentMethod) -> i64 {
    if method == PaymentMethod::Transfer { TRANSFER_HOURS } else { TOP_UP_HOURS }
}

/// The seconds until the gateway is polled again about a payment of this age in seconds: 15 seconds at first, then with growing intervals;
/// `None` after a day.
pub fn query_delay_seconds(age_seconds: i64) -> Option<i64> {
    const DAY: i64 = 86_400;
    (age_seconds < DAY).then(|| age_seconds.clamp(15, DAY / 4))
}

/// A gateway's report of a payment, after verification of its signature.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GatewayReport {
    pub succeeded: bool,
    /// All that has arrived for the charge so far.
    pub amount: Money,
    pub currency: String,
    /// Which charge of the payment, at gateways where a payment can have several; empty at others.
    pub charge: String,
}

impl GatewayReport {
    /// The report of the only charge of a payment.
    pub fn of(succeeded: bool, amount: Money, currency: impl Into<String>) -> GatewayReport {
        GatewayReport { succeeded, amount, currency: currency.into(), charge: String::new() }
    }
}

wire_enum! {
    /// The action to take on a gateway's report.
    Verdict {
        Settle = "settle",
        CreditWallet = "credit_wallet",
        Fail = "fail",
        Duplicate = "repeat",
        WrongAmount = "wrong_amount",
        WrongCurrency = "wrong_currency",
        BadSignature = "bad_signature",
        /// Authentic, but for another merchant's payment.
        WrongMerchant = "wrong_merchant",
        UnknownPayment = "unknown_payment",
        /// Authentic, but about an event that moves no money.
        Irrelevant = "no_interest",
    }
}

impl Verdict {
    /// Whether a callback with this verdict was refused, and an operator should look at it.
    pub fn is_refused(self) -> bool {
        match self {
            Verdict::WrongAmount
            | Verdict::WrongCurrency
            | Verdict::BadSignature
            | Verdict::WrongMerchant
            | Verdict::UnknownPayment => true,
            Verdict::Settle | Verdict::CreditWallet | Verdict::Fail | Verdict::Duplicate | Verdict::Irrelevant => false,
        }
    }
}

impl Verdict {
    /// Applies to a payment of part of an order, whose rest is paid from the wallet: if both together do not cover the total, the money
    /// stays in the wallet.
    pub fn if_covered(self, available: Money, total: Money) -> Verdict {
        if self == Verdict::Settle && available < total { Verdict::CreditWallet } else { self }
    }
}

/// Evaluates a report of a charge in `currency` of which `arrived` was credited before. What arrives is credited, whether it is what was due or not.
/// Money that arrives when the order can no longer be paid goes to the wallet, as does what arrives after the payment has succeeded; a repeated report
/// changes nothing, and neither does an older one; a failure never undoes a success.
pub fn evaluate_report(
    report: &GatewayReport,
    payment: PaymentState,
    order: OrderState,
    arrived: Money,
    currency: &str,
) -> Verdict {
    if !report.succeeded {
        let fails = next_payment_state(payment, PaymentEvent::Fail).is_ok();
        return if fails { Verdict::Fail } else { Verdict::Duplicate };
    }
    if report.currency != currency {
        return Verdict::WrongCurrency;
    }
    if report.amount.minor() <= 0 {
        return Verdict::WrongAmount;
    }
    if report.amount <= arrived {
        return Verdict::Duplicate;
    }
    let is_first = next_payment_state(payment, PaymentEvent::Succeed).is_ok();
    if is_first && next_order_state(order, OrderEvent::Pay).is_ok() { Verdict::Settle } else { Verdict::CreditWallet }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_transitions_of_the_table_are_allowed() {
        let allowed: Vec<String> = OrderState::ALL
            .iter()
            .flat_map(|state| OrderEvent::ALL.iter().map(move |event| (*state, *event)))
            .filter_map(|(state, event)| {
                let next = next_order_state(state, event).ok()?;
                Some(format!("{} {} {}", state.as_str(), event.as_str(), next.as_str()))
            })
            .collect();
        assert_eq!(
            allowed,
            [
                "unpaid pay paid",
                "unpaid cancel cancelled",
                "unpaid expire expired",
                "paid fulfil fulfilled",
                "paid fulfil_partly partly_fulfilled",
                "paid refund refunded",
                "fulfilled refund refunded",
                "partly_fulfilled refund refunded",
            ]
        );
    }

    #[test]
    fn only_the_transitions_of_a_payment_are_allowed() {
        let allowed: Vec<String> = PaymentState::ALL
            .iter()
            .flat_map(|state| PaymentEvent::ALL.iter().map(move |event| (*state, *event)))
            .filter_map(|(state, event)| {
                let next = next_payment_state(state, event).ok()?;
                Some(format!("{} {} {}", state.as_str(), event.as_str(), next.as_str()))
            })
            .collect();
        assert_eq!(
            allowed,
            [
                "pending succeed succeeded",
                "pending fail failed",
                "pending expire expired",
                "failed succeed succeeded",
                "expired succeed succeeded",
            ]
        );
    }

    #[test]
    fn an_order_whose_hold_has_expired_can_be_cancelled_but_not_paid() {
        let actions = order_actions(OrderState::Unpaid, 0);
        assert_eq!((actions.can_pay, actions.can_cancel, actions.is_settled), (false, true, false));
        assert!(order_actions(OrderState::Unpaid, 1).can_pay);
        assert!(order_actions(OrderState::Expired, 1).is_settled);
    }

    #[test]
    fn a_report_is_evaluated_by_amount_currency_and_states() {
        use PaymentState::{Failed, Pending, Succeeded};
        let report =
            |succeeded, minor, currency: &str| GatewayReport::of(succeeded, Money::from_minor(minor), currency);
        for (report, payment, order, verdict) in [
            (report(true, 500, "USD"), Pending, OrderState::Unpaid, Verdict::Settle),
            (report(true, 501, "USD"), Pending, OrderState::Unpaid, Verdict::Settle),
            (report(true, 400, "USD"), Pending, OrderState::Unpaid, Verdict::Duplicate),
            (report(true, 0, "USD"), Pending, OrderState::Unpaid, Verdict::WrongAmount),
            (report(true, -500, "USD"), Succeeded, OrderState::Fulfilled, Verdict::WrongAmount),
            (report(true, 500, "CNY"), Pending, OrderState::Unpaid, Verdict::WrongCurrency),
            (report(true, 400, "USD"), Succeeded, OrderState::Fulfilled, Verdict::Duplicate),
            (report(true, 401, "USD"), Succeeded, OrderState::Fulfilled, Verdict::CreditWallet),
            (report(false, 500, "USD"), Succeeded, OrderState::Fulfilled, Verdict::Duplicate),
            (report(false, 500, "USD"), Pending, OrderState::Unpaid, Verdict::Fail),
            (report(false, 500, "USD"), Failed, OrderState::Unpaid, Verdict::Duplicate),
            (report(true, 500, "USD"), Failed, OrderState::Unpaid, Verdict::Settle),
            (report(true, 500, "USD"), Pending, OrderState::Expired, Verdict::CreditWallet),
            (report(true, 500, "USD"), Pending, OrderState::Cancelled, Verdict::CreditWallet),
            (report(true, 500, "USD"), Pending, OrderState::Fulfilled, Verdict::CreditWallet),
        ] {
            assert_eq!(
                evaluate_report(&report, payment, order, Money::from_minor(400), "USD"),
                verdict,
                "{report:?} {payment:?} {order:?}"
            );
        }
    }

    #[test]
    fn every_state_round_trips() {
        for state in OrderState::ALL {
            assert_eq!(OrderState::from_wire(state.as_str()), Some(*state));
            assert_eq!(serde_json::to_string(state).ok(), Some(format!("\"{}\"", state.as_str())));
        }
        assert_eq!(OrderState::from_wire("Unpaid"), None);
        assert!(
            !accepts(OrderKind::TopUp, PaymentMethod::Wallet) && accepts(OrderKind::Purchase, PaymentMethod::Wallet)
        );
    }

    #[test]
    fn only_a_top_up_is_paid_by_transfer_and_may_take_two_weeks() {
        let kinds: Vec<_> = OrderKind::ALL.iter().filter(|kind| accepts(**kind, PaymentMethod::Transfer)).collect();
        assert_eq!(kinds, [&OrderKind::TopUp]);
        assert_eq!((top_up_hours(PaymentMethod::Transfer), top_up_hours(PaymentMethod::Stripe)), (336, 24));
    }

    #[test]
    fn refused_verdicts_are_those_for_operators() {
        let refused: Vec<_> =
            Verdict::ALL.iter().filter(|verdict| verdict.is_refused()).map(|one| one.as_str()).collect();
        let expected = ["wrong_amount", "wrong_currency", "bad_signature", "wrong_merchant", "unknown_payment"];
        assert_eq!(refused, expected);
    }
}
