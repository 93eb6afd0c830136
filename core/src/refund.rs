//! Refunds: the refundable amount of an order, to the cent, and the credit note.
//!
//! The money paid for a node is its share of its order's total (`Money::split` of the line's net). Unused time is worth its share of that,
//! in whole seconds. Amounts are rounded once per credit note, by the largest-remainder method, continuing from the order's earlier credit
//! notes: refunding nodes one by one gives the same total as refunding them together. No refund exceeds what was paid and not yet refunded,
//! neither per line nor per order.
use crate::code::Code;
use crate::field_errors::FieldErrors;
use crate::money::{Money, MoneyError, round_cumulatively};
use crate::order::{OrderEvent, OrderKind, OrderState, next_order_state};
use crate::rule::Rule;
use crate::wire_enum::wire_enum;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

/// The maximum number of nodes listed individually on a credit note; beyond it, lines are per place.
pub const MAX_CREDIT_LINES: usize = 200;

/// A refundable item, usually a node. `reference` is the caller's identifier for it.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct PaidLine {
    pub reference: String,
    /// Its share of the order's total, after all discounts.
    pub paid: Money,
    /// The amount already refunded.
    pub refunded: Money,
    /// The unused part of its period, in seconds: at most the whole period.
    pub unused_seconds: u32,
}

/// A refund of unused time.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RefundRequest {
    /// The order's total.
    pub paid: Money,
    /// The amount of the order already refunded, for any reason.
    pub refunded: Money,
    /// The period that was bought, in seconds: the same for every line of an order. Positive.
    pub period_seconds: u32,
    /// The lines that end, which need not be all lines of the order.
    pub lines: Vec<PaidLine>,
    /// The lines of the order's earlier credit notes for unused time, as of those notes.
    #[serde(default)]
    pub earlier: Vec<PaidLine>,
}

/// The content of a credit note. `lines` are in the requested order and add up to `total`.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct CreditNote {
    pub lines: Vec<CreditNoteLine>,
    pub total: Money,
    /// The remaining refundable amount of the order.
    pub refundable_after: Money,
    /// Whether the order is now fully refunded: then it becomes `refunded`. After a partial refund it keeps its state.
    pub is_whole: bool,
}

pub const SECONDS_A_DAY: u32 = 86_400;

/// A duration as shown on a credit note and in its preview, in whole days and hours.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct DaysAndHours {
    pub days: u32,
    pub hours: u32,
}

pub fn days_and_hours(seconds: u32) -> DaysAndHours {
    DaysAndHours { days: seconds / SECONDS_A_DAY, hours: seconds % SECONDS_A_DAY / 3_600 }
}

/// A line of a credit note: `paid` times its unused seconds divided by the period, at most the amount paid less the amount already
/// refunded.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct CreditNoteLine {
    pub reference: String,
    pub paid: Money,
    pub refunded: Money,
    pub unused_seconds: u32,
    pub amount: Money,
}

/// Why a refund is impossible. `line` is the index of the line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RefundError {
    NoLines,
    /// The period is zero.
    NoPeriod,
    /// The unused time exceeds the period.
    UnusedExceedsPeriod {
        line: usize,
    },
    /// More was refunded than paid, or an amount is negative: the books are inconsistent.
    RefundedExceedsPaid,
    /// The lines' payments exceed the order's total.
    LinesExceedOrder,
    /// The amount exceeds the refundable remainder.
    MoreThanLeft {
        left: Money,
    },
    /// The amount is not positive.
    NotAnAmount,
    Overflow,
}

impl RefundError {
    /// The error as a broken rule of a refund's form, if it is one.
    pub fn fields(self) -> Option<FieldErrors> {
        match self {
            RefundError::NoLines => Some(FieldErrors::one("Lines", Rule::NothingToRefund, &[])),
            RefundError::MoreThanLeft { left } => {
                Some(FieldErrors::one("Amount", Rule::AmountMax, &[("Max", left.to_string())]))
            }
            RefundError::NotAnAmount => Some(FieldErrors::one("Amount", Rule::Amount, &[])),
            _ => None,
        }
    }

    /// The response code of the refusal: an excessive amount is the caller's error, inconsistent books are the server's.
    pub fn code(self) -> Code {
        match self {
            RefundError::NoLines | RefundError::MoreThanLeft { .. } | RefundError::NotAnAmount => Code::InvalidFields,
            RefundError::NoPeriod
            | RefundError::UnusedExceedsPeriod { .. }
            | RefundError::RefundedExceedsPaid
            | RefundError::LinesExceedOrder
            | RefundError::Overflow => Code::Internal,
        }
    }
}

impl From<MoneyError> for RefundError {
    fn from(_: MoneyError) -> RefundError {
        RefundError::Overflow
    }
}

/// The unused part of a period, in seconds: zero after its end, the whole period before its start.
pub fn unused_seconds(starts_at: NaiveDateTime, ends_at: NaiveDateTime, now: NaiveDateTime) -> u32 {
    let seconds = (ends_at - now.max(starts_at)).num_seconds();
    u32::try_from(seconds.max(0)).unwrap_or(u32::MAX)
}

/// Whether an order is refundable. Of a top-up, whose money is in the wallet, what is left there can go back to where it came from.
pub fn is_refundable(kind: OrderKind, state: OrderState) -> bool {
    (kind != OrderKind::TopUp || state == OrderState::Fulfilled) && next_order_state(state, OrderEvent::Refund).is_ok()
}

wire_enum! {
    /// What happens to a node when its order is refunded.
    RefundedNodeFate {
        Ends = "ends",
        /// The time bought before continues until then.
        GoesOn = "goes_on",
        /// A later order extended it, and has to be refunded first.
        Stays = "stays",
    }
}

/// What happens to a node when the time that an order bought for it is refunded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NodeAfterRefund {
    /// It ends now.
    Ends,
    /// The refunded time had not begun: the time bought before continues until then.
    GoesOnUntil(NaiveDateTime),
}

/// What happens to a node that expires at `expires_at`, when the time from `starts_at` to `ends_at` is refunded. `None` if that is
/// impossible: the time has passed, or a later order extended the node and has to be refunded first.
pub fn node_after_refund(
    starts_at: NaiveDateTime,
    ends_at: NaiveDateTime,
    expires_at: NaiveDateTime,
    now: NaiveDateTime,
) -> Option<NodeAfterRefund> {
    if expires_at != ends_at || ends_at <= now {
        return None;
    }
    Some(if starts_at > now { NodeAfterRefund::GoesOnUntil(starts_at) } else { NodeAfterRefund::Ends })
}

/// Refunds the unused time of an order's lines: at cancellation, when a node cannot be delivered (all of its time is unused), or when a
/// node is retired. Preview and execution call this function with the same `now` behind `unused_seconds`.
pub fn refund_unused(request: &RefundRequest) -> Result<CreditNote, RefundError> {
    if request.lines.is_empty() {
        return Err(RefundError::NoLines);
    }
    if request.period_seconds == 0 {
        return Err(RefundError::NoPeriod);
    }
    let left = left_of(request.paid, request.refunded)?;
    let paid_for_lines = Money::sum(request.lines.iter().map(|line| line.paid))?;
    if paid_for_lines > request.paid {
        return Err(RefundError::LinesExceedOrder);
    }
    let exact = |line: &PaidLine| i128::from(line.paid.minor()) * i128::from(line.unused_seconds);
    let before = request.earlier.iter().map(exact).try_fold(0_i128, |sum, part| sum.checked_add(part));
    let mut numerators = Vec::with_capacity(request.lines.len());
    let mut left_of_lines = Vec::with_capacity(request.lines.len());
    for (index, line) in request.lines.iter().enumerate() {
        if line.unused_seconds > request.period_seconds {
            return Err(RefundError::UnusedExceedsPeriod { line: index });
        }
        left_of_lines.push(left_of(line.paid, line.refunded)?);
        numerators.push(exact(line));
    }
    let before = before.ok_or(RefundError::Overflow)?;
    let rounded = round_cumulatively(before, &numerators, i128::from(request.period_seconds))?;
    let amounts: Vec<Money> = rounded.into_iter().zip(left_of_lines).map(|(amount, left)| amount.min(left)).collect();
    let amounts = if Money::sum(amounts.iter().copied())? > left {
        left.allocate(&amounts.iter().map(|amount| amount.minor()).collect::<Vec<_>>())?
    } else {
        amounts
    };
    let total = Money::sum(amounts.iter().copied())?;
    let line = |(line, amount): (&PaidLine, Money)| CreditNoteLine {
        reference: line.reference.clone(),
        paid: line.paid,
        refunded: line.refunded,
        unused_seconds: line.unused_seconds,
        amount,
    };
    Ok(CreditNote {
        lines: request.lines.iter().zip(amounts).map(line).collect(),
        total,
        refundable_after: left.checked_sub(total)?,
        is_whole: request.refunded.checked_add(total)? == request.paid,
    })
}

/// The refund of unused traffic.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TrafficRefund {
    pub amount: Money,
    /// The remaining refundable amount of the order.
    pub refundable_after: Money,
    /// Whether the order is now fully refunded.
    pub is_whole: bool,
}

/// Refunds the unused bytes of a batch: their share of the price of the batch, rounded to a cent, and at most the order's remainder after
/// earlier refunds. `returned_bytes` were refunded in this way before: partial refunds give the same total as a single one.
pub fn refund_traffic(
    paid: Money,
    refunded: Money,
    bought_bytes: u64,
    returned_bytes: u64,
    unused_bytes: u64,
) -> Result<TrafficRefund, RefundError> {
    let left = left_of(paid, refunded)?;
    if bought_bytes == 0 {
        return Err(RefundError::NoPeriod);
    }
    if unused_bytes.checked_add(returned_bytes).is_none_or(|bytes| bytes > bought_bytes) {
        return Err(RefundError::UnusedExceedsPeriod { line: 0 });
    }
    if unused_bytes == 0 {
        return Err(RefundError::NoLines);
    }
    let part = |bytes: u64| i128::from(paid.minor()).checked_mul(i128::from(bytes)).ok_or(RefundError::Overflow);
    let rounded = round_cumulatively(part(returned_bytes)?, &[part(unused_bytes)?], i128::from(bought_bytes))?;
    let amount = Money::sum(rounded)?.min(left);
    Ok(TrafficRefund {
        amount,
        refundable_after: left.checked_sub(amount)?,
        is_whole: refunded.checked_add(amount)? == paid,
    })
}

/// Splits a partly delivered line into the refund and the price paid for each delivered node. The line's net is split evenly among the
/// ordered nodes; the first ones are the delivered ones, the rest is refunded. The parts add up to the net.
pub fn undelivered(net: Money, ordered: u32, delivered: u32) -> Result<(Vec<Money>, Money), RefundError> {
    if delivered > ordered {
        return Err(RefundError::NotAnAmount);
    }
    let mut paid = net.split(ordered)?;
    let back = Money::sum(paid.split_off(delivered as usize))?;
    Ok((paid, back))
}

/// A refund of a fixed amount, which must be positive and at most the order's remainder. Returns what remains refundable afterwards.
pub fn refund_amount(paid: Money, refunded: Money, amount: Money) -> Result<Money, RefundError> {
    let left = left_of(paid, refunded)?;
    if amount <= Money::ZERO {
        return Err(RefundError::NotAnAmount);
    }
    if amount > left {
        return Err(RefundError::MoreThanLeft { left });
    }
    Ok(left.checked_sub(amount)?)
}

fn left_of(paid: Money, refunded: Money) -> Result<Money, RefundError> {
    if paid.is_negative() || refunded.is_negative() || refunded > paid {
        return Err(RefundError::RefundedExceedsPaid);
    }
    Ok(paid.checked_sub(refunded)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    const DAY: u32 = 86_400;

    fn line(paid: i64, refunded: i64, unused_days: u32) -> PaidLine {
        PaidLine {
            reference: String::new(),
            paid: Money::from_minor(paid),
            refunded: Money::from_minor(refunded),
            unused_seconds: unused_days * DAY,
        }
    }

    fn request(paid: i64, refunded: i64, lines: Vec<PaidLine>) -> RefundRequest {
        RefundRequest {
            paid: Money::from_minor(paid),
            refunded: Money::from_minor(refunded),
            period_seconds: 30 * DAY,
            lines,
            earlier: Vec::new(),
        }
    }

    #[test]
    fn unused_time_is_shown_in_whole_days_and_hours() {
        for (seconds, days, hours) in [(0, 0, 0), (3_599, 0, 0), (86_399, 0, 23), (86_400, 1, 0), (u32::MAX, 49_710, 6)]
        {
            assert_eq!(days_and_hours(seconds), DaysAndHours { days, hours }, "{seconds}");
        }
    }

    #[test]
    fn inconsistent_requests_are_rejected() {
        for (request, error) in [
            (request(500, 0, vec![]), RefundError::NoLines),
            (RefundRequest { period_seconds: 0, ..request(500, 0, vec![line(500, 0, 0)]) }, RefundError::NoPeriod),
            (request(500, 0, vec![line(500, 0, 31)]), RefundError::UnusedExceedsPeriod { line: 0 }),
            (request(500, 501, vec![line(500, 0, 1)]), RefundError::RefundedExceedsPaid),
            (request(500, 0, vec![line(500, 501, 1)]), RefundError::RefundedExceedsPaid),
            (request(500, 0, vec![line(-1, 0, 1)]), RefundError::RefundedExceedsPaid),
            (request(500, 0, vec![line(500, 0, 1), line(1, 0, 1)]), RefundError::LinesExceedOrder),
        ] {
            assert_eq!(refund_unused(&request), Err(error), "{request:?}");
        }
        let money = Money::from_minor;
        assert_eq!(
            refund_amount(money(500), money(200), money(301)),
            Err(RefundError::MoreThanLeft { left: money(300) })
        );
        assert_eq!(refund_amount(money(500), money(200), money(0)), Err(RefundError::NotAnAmount));
        assert_eq!(refund_amount(money(500), money(200), money(300)), Ok(money(0)));
        assert_eq!(undelivered(money(500), 2, 3), Err(RefundError::NotAnAmount));
    }

    #[test]
    fn unused_time_is_refunded_pro_rata_and_rounded_once_per_note() {
        // Three nodes of 5.00 with 10 of 30 days left: 1.6667 each, 5.00 together.
        let note = refund_unused(&request(1_500, 0, vec![line(500, 0, 10), line(500, 0, 10), line(500, 0, 10)]))
            .expect("a note");
        assert_eq!(note.lines.iter().map(|line| line.amount.minor()).collect::<Vec<_>>(), [167, 167, 166]);
        assert_eq!((note.total.minor(), note.refundable_after.minor(), note.is_whole), (500, 1_000, false));
    }

    #[test]
    fn refunding_nodes_one_by_one_equals_refunding_them_together() {
        let (mut refunded, mut earlier) = (0, Vec::new());
        for expected in [167, 166, 167] {
            let ending = line(500, 0, 10);
            let request = RefundRequest { earlier: earlier.clone(), ..request(1_500, refunded, vec![ending.clone()]) };
            let note = refund_unused(&request).expect("a note");
            assert_eq!(note.total.minor(), expected);
            refunded += expected;
            earlier.push(ending);
        }
    }

    #[test]
    fn no_line_and_no_order_is_refunded_beyond_its_remainder() {
        let note = refund_unused(&request(1_000, 400, vec![line(500, 400, 30), line(500, 0, 30)])).expect("a note");
        assert_eq!(note.lines.iter().map(|line| line.amount.minor()).collect::<Vec<_>>(), [100, 500]);
        assert!(note.is_whole && note.refundable_after.is_zero());
        // 7.00 of the order were already refunded as an amount: the lines share the remainder.
        let note = refund_unused(&request(1_000, 700, vec![line(500, 0, 30), line(500, 0, 15)])).expect("a note");
        assert_eq!(note.lines.iter().map(|line| line.amount.minor()).collect::<Vec<_>>(), [200, 100]);
        assert!(note.is_whole);
    }

    #[test]
    fn time_is_refunded_from_the_end() {
        let time = |text| from_wire(text).expect("a time");
        let (starts, ends) = (time("2026-01-01 00:00:00"), time("2026-01-31 00:00:00"));
        let after = |expires, now| node_after_refund(starts, ends, time(expires), time(now));
        assert_eq!(after("2026-03-02 00:00:00", "2026-01-10 00:00:00"), None, "a renewal has to be refunded first");
        assert_eq!(after("2026-01-31 00:00:00", "2026-01-31 00:00:00"), None, "the time has passed");
        assert_eq!(after("2026-01-31 00:00:00", "2026-01-10 00:00:00"), Some(NodeAfterRefund::Ends));
        let until = NodeAfterRefund::GoesOnUntil(starts);
        assert_eq!(after("2026-01-31 00:00:00", "2025-12-31 23:59:59"), Some(until));
    }

    #[test]
    fn unused_bytes_are_refunded_pro_rata_up_to_the_remainder() {
        const GB: u64 = 1_000_000_000;
        let money = Money::from_minor;
        for (paid, refunded, returned, unused, amount, after) in [
            // 10 GB for 35.00.
            (3_500, 0, 0, 10 * GB, 3_500, 0),
            (3_500, 0, 0, 5 * GB, 1_750, 1_750),
            (3_500, 0, 0, 1, 0, 3_500),
            (3_500, 0, 0, 3 * GB + 333_333_333, 1_167, 2_333),
            // 30.00 of it were already refunded as an amount.
            (3_500, 3_000, 0, 5 * GB, 500, 0),
            (3_500, 3_500, 0, 5 * GB, 0, 0),
            // Two steps give the same total as one.
            (100, 0, 0, 10 * GB / 3, 33, 67),
            (100, 33, 10 * GB / 3, 10 * GB / 3, 34, 33),
            (0, 0, 0, 10 * GB, 0, 0),
        ] {
            let refund = refund_traffic(money(paid), money(refunded), 10 * GB, returned, unused).expect("a refund");
            let found = (refund.amount.minor(), refund.refundable_after.minor(), refund.is_whole);
            assert_eq!(found, (amount, after, after == 0), "{paid} {refunded} {unused}");
        }
        let refused = |refunded, returned, unused| {
            refund_traffic(money(100), money(refunded), 10, returned, unused).expect_err("a refusal")
        };
        assert_eq!(refused(0, 0, 0), RefundError::NoLines);
        assert_eq!(refused(0, 1, 10), RefundError::UnusedExceedsPeriod { line: 0 });
        assert_eq!(refused(101, 0, 1), RefundError::RefundedExceedsPaid);
        assert_eq!(refund_traffic(money(100), money(0), 0, 0, 0), Err(RefundError::NoPeriod));
    }

    #[test]
    fn top_ups_and_unpaid_orders_are_not_refundable() {
        assert!(is_refundable(OrderKind::TopUp, OrderState::Fulfilled));
        assert!(!is_refundable(OrderKind::TopUp, OrderState::Unpaid));
        assert!(!is_refundable(OrderKind::Purchase, OrderState::Unpaid));
        assert!(!is_refundable(OrderKind::Purchase, OrderState::Refunded));
        assert!(is_refundable(OrderKind::Renewal, OrderState::PartlyFulfilled));
    }

    #[test]
    fn undelivered_nodes_are_refunded_and_the_parts_add_up() {
        let (paid, back) = undelivered(Money::from_minor(1_000), 3, 2).expect("shares");
        assert_eq!((paid.iter().map(|part| part.minor()).collect::<Vec<_>>(), back.minor()), (vec![334, 333], 333));
        assert_eq!(undelivered(Money::from_minor(1_000), 3, 0).map(|(_, back)| back.minor()), Ok(1_000));
    }

    #[test]
    fn a_period_is_unused_before_its_start_and_used_after_its_end() {
        let time = |text| from_wire(text).expect("a time");
        let (starts, ends) = (time("2026-01-01 00:00:00"), time("2026-01-31 00:00:00"));
        for (now, seconds) in [
            ("2025-12-01 00:00:00", 30 * DAY),
            ("2026-01-01 00:00:00", 30 * DAY),
            ("2026-01-30 23:59:59", 1),
            ("2026-01-31 00:00:00", 0),
            ("2027-01-01 00:00:00", 0),
        ] {
            assert_eq!(unused_seconds(starts, ends, time(now)), seconds, "{now}");
        }
    }
}
