//! The ledger: double-entry and append-only. Every money movement is one balanced posting.
use crate::money::{Money, MoneyError};
use crate::order::OrderKind;
use crate::wire_enum::wire_enum;
use chrono::{Days, NaiveDateTime, NaiveTime};

wire_enum! {
    /// A book (account of the ledger). `Wallet` is what the shop owes a customer, `Owed` what a customer owes the shop; the others are the shop's own.
    Book {
        Wallet = "wallet",
        Gateway = "gateway",
        Revenue = "revenue",
        Commission = "commission",
        Refund = "refund",
        Owed = "owed",
    }
}

wire_enum! {
    /// The kind of a transaction, as shown to customers.
    EntryKind {
        TopUp = "top_up",
        /// A top-up charged to a saved card because the balance was low.
        AutoTopUp = "auto_top_up",
        /// Money received for an order; the order's charge follows in the same transaction.
        Payment = "payment",
        LatePayment = "late_payment",
        Purchase = "purchase",
        Renewal = "renewal",
        Switch = "switch",
        Refund = "refund",
        /// Money that an operator added to a wallet.
        Credit = "credit",
        /// Money that an operator took from a wallet.
        Debit = "debit",
        Commission = "commission",
        /// The refund of an order that had earned a commission.
        CommissionTakenBack = "commission_taken_back",
        /// The balance of an account's wallet when its owner closed the account.
        Forfeited = "forfeited",
        /// Money that was returned outside of the shop, as when it arrives for a closed account.
        PaidBack = "paid_back",
        /// Money of a payment that its gateway took back.
        TakenBack = "taken_back",
        /// Money that its gateway had taken back, and returned.
        GivenBack = "given_back",
        /// Money that the shop refunded to where it came from.
        SentBack = "sent_back",
        /// What a wallet could not cover of money that was taken back: the customer owes it.
        Owed = "owed",
        /// Pays what the customer owes, from money that came into the wallet.
        OwedPaid = "owed_paid",
    }
}

wire_enum! {
    /// How an operator changes a wallet.
    Adjustment {
        /// Adds money that was received outside of the shop.
        Received = "received",
        /// Adds money that nobody paid: goodwill, which counts as a refund.
        Goodwill = "goodwill",
        /// Takes money that was returned outside of the shop.
        Returned = "returned",
        /// Takes money that had been added by mistake.
        Correction = "correction",
    }
}

impl Adjustment {
    /// The kind of its transaction, and the book that is debited.
    pub fn movement(self) -> (EntryKind, Book) {
        match self {
            Adjustment::Received => (EntryKind::Credit, Book::Gateway),
            Adjustment::Goodwill => (EntryKind::Credit, Book::Refund),
            Adjustment::Returned => (EntryKind::PaidBack, Book::Wallet),
            Adjustment::Correction => (EntryKind::Debit, Book::Wallet),
        }
    }

    /// Whether it adds money to the wallet.
    pub fn is_credit(self) -> bool {
        self.movement().1 != Book::Wallet
    }
}

impl Book {
    /// The books whose entries are a customer's expenses, everywhere: what orders cost is added to `Revenue`, and what was given back is taken
    /// from `Refund`.
    pub const OF_EXPENSES: [Book; 2] = [Book::Revenue, Book::Refund];

    pub fn is_of_expenses(self) -> bool {
        Book::OF_EXPENSES.contains(&self)
    }

    /// Whether each of its entries belongs to a customer.
    pub fn is_of_customers(self) -> bool {
        matches!(self, Book::Wallet | Book::Owed)
    }
}

impl EntryKind {
    /// Kinds of received payments: each transaction of these kinds belongs to one succeeded payment.
    pub const OF_PAYMENTS: [EntryKind; 4] =
        [EntryKind::TopUp, EntryKind::AutoTopUp, EntryKind::Payment, EntryKind::LatePayment];

    /// The kind of entry that charges an order of this kind; a top-up is not charged.
    pub fn of_charge(kind: OrderKind) -> Option<EntryKind> {
        match kind {
            OrderKind::Purchase => Some(EntryKind::Purchase),
            OrderKind::Renewal => Some(EntryKind::Renewal),
            OrderKind::Switch => Some(EntryKind::Switch),
            OrderKind::TopUp => None,
        }
    }

    /// Whether it charges an order. Each charge belongs to one invoice.
    pub fn is_charge(self) -> bool {
        OrderKind::ALL.iter().any(|kind| EntryKind::of_charge(*kind) == Some(self))
    }

    /// Whether a receipt documents it: whatever has no invoice or credit note. Money received for an order belongs to the order's invoice, and a debt
    /// to what brought it or paid it.
    pub fn has_receipt(self) -> bool {
        !self.is_charge() && !self.is_of_debt() && !matches!(self, EntryKind::Refund | EntryKind::Payment)
    }

    /// Whether it makes or pays a debt.
    pub fn is_of_debt(self) -> bool {
        matches!(self, EntryKind::Owed | EntryKind::OwedPaid)
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
        | EntryKind::Commission
        | EntryKind::GivenBack
        | EntryKind::Owed => Book::Wallet,
        EntryKind::Purchase | EntryKind::Renewal | EntryKind::Switch | EntryKind::Forfeited => Book::Revenue,
        EntryKind::CommissionTakenBack => Book::Commission,
        EntryKind::PaidBack | EntryKind::TakenBack | EntryKind::SentBack => Book::Gateway,
        EntryKind::OwedPaid => Book::Owed,
        EntryKind::Debit => Book::Refund,
    };
    if amount.minor() <= 0 || source == to {
        return Err(MoneyError::Malformed);
    }
    Ok([Entry { book: source, amount: amount.negated()? }, Entry { book: to, amount }])
}

wire_enum! {
    /// A problem with the shop, shown to operators until it is fixed.
    AlarmKind {
        /// Ledger, orders and invoices are inconsistent.
        Books = "books",
        /// Closed accounts have money in their wallets.
        ClosedAccounts = "closed_accounts",
        /// Proxy servers do not carry connections.
        ProxyServers = "proxy_servers",
    }
}

/// The hour of the nightly verification of the books, in UTC.
pub const CHECK_HOUR: u32 = 3;

/// When the books are verified next.
pub fn next_check(now: NaiveDateTime) -> NaiveDateTime {
    let hour = NaiveTime::from_hms_opt(CHECK_HOUR, 0, 0).unwrap_or_default();
    let today = now.date().and_time(hour);
    if today > now { today } else { today.checked_add_days(Days::new(1)).unwrap_or(NaiveDateTime::MAX) }
}

/// The change of the customer's expenses by a posting: purchases add, refunds subtract.
pub fn expense(entries: &[Entry]) -> Result<Money, MoneyError> {
    Money::sum(entries.iter().filter(|entry| entry.book.is_of_expenses()).map(|entry| entry.amount))
}

/// Whether the posting sums to zero, as every posting must.
pub fn is_balanced(entries: &[Entry]) -> bool {
    Money::sum(entries.iter().map(|entry| entry.amount)) == Ok(Money::ZERO)
}

/// The bar heights of a chart: each amount in thousandths of the largest, rounded down, but at least one thousandth for a positive amount.
/// Negative amounts count as zero.
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
    fn the_books_are_verified_once_a_night() {
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
    fn charges_move_money_from_wallet_to_revenue() {
        let charges: Vec<_> = EntryKind::ALL.iter().copied().filter(|kind| kind.is_charge()).collect();
        assert_eq!(charges, [EntryKind::Purchase, EntryKind::Renewal, EntryKind::Switch]);
        for kind in charges {
            let [_, to] = posting(kind, Book::Wallet, Money::from_minor(1)).expect("a posting");
            assert_eq!(to.book, Book::Revenue);
        }
        assert_eq!(EntryKind::of_charge(OrderKind::TopUp), None);
    }

    #[test]
    fn every_posting_balances_and_has_a_positive_amount() {
        let amount = Money::from_minor(1_500);
        for kind in EntryKind::ALL {
            let source = match kind {
                EntryKind::Purchase
                | EntryKind::Renewal
                | EntryKind::Switch
                | EntryKind::CommissionTakenBack
                | EntryKind::Debit
                | EntryKind::PaidBack
                | EntryKind::TakenBack
                | EntryKind::SentBack
                | EntryKind::OwedPaid => Book::Wallet,
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
    fn an_adjustment_adds_or_takes_and_only_goodwill_changes_expenses() {
        let amount = Money::from_minor(1_500);
        for (adjustment, wallet, spent) in [
            (Adjustment::Received, 1_500, 0),
            (Adjustment::Goodwill, 1_500, -1_500),
            (Adjustment::Returned, -1_500, 0),
            (Adjustment::Correction, -1_500, 1_500),
        ] {
            let (kind, source) = adjustment.movement();
            let entries = posting(kind, source, amount).expect("a posting");
            let change = entries.iter().find(|entry| entry.book == Book::Wallet).map(|entry| entry.amount.minor());
            assert_eq!((change, expense(&entries)), (Some(wallet), Ok(Money::from_minor(spent))), "{adjustment:?}");
            assert_eq!(adjustment.is_credit(), wallet > 0);
        }
    }

    #[test]
    fn bars_are_proportional_to_the_largest_amount() {
        let heights =
            |minor: &[i64]| bar_heights(&minor.iter().map(|minor| Money::from_minor(*minor)).collect::<Vec<_>>());
        assert_eq!(heights(&[0, 500, 1_000, 1, -5]), [0, 500, 1_000, 1, 0]);
        assert_eq!(heights(&[i64::MAX, 1]), [1_000, 1]);
        assert_eq!(heights(&[0, 0]), [0, 0]);
        assert!(heights(&[]).is_empty());
    }
}
