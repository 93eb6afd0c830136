//! The ledger: double-entry and append-only. Every money movement is one balanced posting.
use crate::money::{Money, MoneyError};
use crate::order::OrderKind;
use crate::wire_enum::wire_enum;
use chrono::{Days, NaiveDateTime, NaiveTime};

wire_enum! {
    /// A book. `Wallet` is what the shop owes a customer; the others are the shop's own.
    Book { Wallet = "wallet", Gateway = "gateway", Revenue = "revenue", Commission = "commission", Refund = "refund" }
}

wire_enum! {
    /// The kind of a transaction, as shown to customers.
    EntryKind {
        TopUp = "top_up",
        /// A top-up charged to a remembered card because the balance was low.
        AutoTopUp = "auto_top_up",
        /// Money received for an order; the order's charge follows in the same transaction.
        Payment = "payment",
        LatePayment = "late_payment",
        Purchase = "purchase",
        Renewal = "renewal",
        Switch = "switch",
        Refund = "refund",
        Credit = "credit",
        Commission = "commission",
        /// A refund of an order that had earned a commission.
        CommissionTakenBack = "commission_taken_back",
        /// What was left in the wallet of an account that its owner closed.
        Forfeited = "forfeited",
    }
}

impl EntryKind {
    /// Kinds of received payments: each transaction of these kinds belongs to one succeeded payment.
    pub const OF_PAYMENTS: [EntryKind; 4] =
        [EntryKind::TopUp, EntryKind::AutoTopUp, EntryKind::Payment, EntryKind::LatePayment];

    /// What an order of this kind is charged as; a top-up is not charged.
    pub fn of_charge(kind: OrderKind) -> Option<EntryKind> {
        match kind {
            OrderKind::Purchase => Some(EntryKind::Purchase),
            OrderKind::Renewal => Some(EntryKind::Renewal),
            OrderKind::Switch => Some(EntryKind::Switch),
            OrderKind::TopUp => None,
        }
    }

    /// Does it charge an order? Each charge belongs to one invoice.
    pub fn is_charge(self) -> bool {
        OrderKind::ALL.iter().any(|kind| EntryKind::of_charge(*kind) == Some(self))
    }
}

/// One line of a posting: an amount added to a book.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Entry {
    pub book: Book,
    pub amount: Money,
}

/// The two lines that record a movement of `amount` (above zero).
pub fn posting(kind: EntryKind, source: Book, amount: Money) -> Result<[Entry; 2], MoneyError> {
    let to = match kind {
        EntryKind::TopUp
        | EntryKind::AutoTopUp
        | EntryKind::Payment
        | EntryKind::LatePayment
        | EntryKind::Refund
        | EntryKind::Credit
        | EntryKind::Commission => Book::Wallet,
        EntryKind::Purchase | EntryKind::Renewal | EntryKind::Switch | EntryKind::Forfeited => Book::Revenue,
        EntryKind::CommissionTakenBack => Book::Commission,
    };
    if amount.minor() <= 0 || source == to {
        return Err(MoneyError::Malformed);
    }
    Ok([Entry { book: source, amount: amount.negated()? }, Entry { book: to, amount }])
}

wire_enum! {
    /// Something wrong with the shop, for operators to see until it is mended.
    AlarmKind {
        /// The ledger, the orders and the invoices do not agree.
        Books = "books",
    }
}

/// The hour, in UTC, of the nightly check of the books.
pub const CHECK_HOUR: u32 = 3;

/// When the books are checked next: the next time it is that hour.
pub fn next_check(now: NaiveDateTime) -> NaiveDateTime {
    let hour = NaiveTime::from_hms_opt(CHECK_HOUR, 0, 0).unwrap_or_default();
    let today = now.date().and_time(hour);
    if today > now { today } else { today.checked_add_days(Days::new(1)).unwrap_or(NaiveDateTime::MAX) }
}

/// By how much a posting changes the customer's expenses: purchases add, refunds subtract.
pub fn expense(entries: &[Entry]) -> Result<Money, MoneyError> {
    Money::sum(
        entries.iter().filter(|entry| matches!(entry.book, Book::Revenue | Book::Refund)).map(|entry| entry.amount),
    )
}

/// Whether this posting sums to zero, as every posting must.
pub fn is_balanced(entries: &[Entry]) -> bool {
    Money::sum(entries.iter().map(|entry| entry.amount)) == Ok(Money::ZERO)
}

/// The bar heights of a chart: each amount in thousandths of the largest, rounded down, but positive amounts are at
/// least one thousandth. Negative amounts count as zero.
pub fn bar_heights(amounts: &[Money]) -> Vec<u16> {
    let most = amounts.iter().map(|amount| amount.minor()).max().unwrap_or_default();
    let height = |amount: &Money| match amount.minor() {
        minor if minor > 0 => (i128::from(minor) * 1_000 / i128::from(most)).clamp(1, 1_000) as u16,
        _ => 0,
    };
    amounts.iter().map(height).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_books_are_checked_once_a_night() {
        let time = |text| crate::time::from_wire(text).expect("a time");
        for (now, next) in [
            ("2026-01-01 00:00:00", "2026-01-01 03:00:00"),
            ("2026-01-01 02:59:59", "2026-01-01 03:00:00"),
            ("2026-01-01 03:00:00", "2026-01-02 03:00:00"),
            ("2026-12-31 23:00:00", "2027-01-01 03:00:00"),
        ] {
            assert_eq!(next_check(time(now)), time(next));
        }
    }

    #[test]
    fn what_is_charged_goes_from_the_wallet_to_the_revenue() {
        let charges: Vec<_> = EntryKind::ALL.iter().copied().filter(|kind| kind.is_charge()).collect();
        assert_eq!(charges, [EntryKind::Purchase, EntryKind::Renewal, EntryKind::Switch]);
        for kind in charges {
            let [_, to] = posting(kind, Book::Wallet, Money::from_minor(1)).expect("a posting");
            assert_eq!(to.book, Book::Revenue);
        }
        assert_eq!(EntryKind::of_charge(OrderKind::TopUp), None);
    }

    #[test]
    fn every_posting_balances_and_none_moves_nothing() {
        let amount = Money::from_minor(1_500);
        for kind in EntryKind::ALL {
            let source = match kind {
                EntryKind::Purchase | EntryKind::Renewal | EntryKind::Switch | EntryKind::CommissionTakenBack => {
                    Book::Wallet
                }
                _ => Book::Gateway,
            };
            assert!(is_balanced(&posting(*kind, source, amount).expect("a posting")));
            assert!(posting(*kind, source, Money::ZERO).is_err());
            assert!(posting(*kind, source, Money::from_minor(-1)).is_err());
        }
        let spent = |kind, source| expense(&posting(kind, source, amount).expect("a posting")).map(Money::minor);
        assert_eq!(spent(EntryKind::Purchase, Book::Wallet), Ok(1_500));
        assert_eq!(spent(EntryKind::Refund, Book::Refund), Ok(-1_500));
        assert_eq!(spent(EntryKind::TopUp, Book::Gateway), Ok(0));
        assert!(posting(EntryKind::TopUp, Book::Wallet, amount).is_err());
        assert!(!is_balanced(&[Entry { book: Book::Wallet, amount }]));
    }

    #[test]
    fn bars_are_as_high_as_their_share_of_the_largest() {
        let heights =
            |minor: &[i64]| bar_heights(&minor.iter().map(|minor| Money::from_minor(*minor)).collect::<Vec<_>>());
        assert_eq!(heights(&[0, 500, 1_000, 1, -5]), [0, 500, 1_000, 1, 0]);
        assert_eq!(heights(&[i64::MAX, 1]), [1_000, 1]);
        assert_eq!(heights(&[0, 0]), [0, 0]);
        assert!(heights(&[]).is_empty());
    }
}
