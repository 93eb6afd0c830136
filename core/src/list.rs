//! Lists: sort fields, keyset cursors and counting limits.
use crate::bounds::MAX_SORT_FIELDS;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use chrono::{DateTime, NaiveDateTime};
use std::cmp::Ordering;

/// Filtered lists are counted up to this many rows; beyond it, the response only says that there are more.
pub const COUNTED_ROWS: i64 = 10_000;

/// Lists up to this many rows can be sorted by every field. Longer ones can only be sorted by indexed fields.
pub const SORTED_ROWS: i64 = 10_000;

const KEY_MAX_LENGTH: usize = 2_000;

/// The type of a field's values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KeyKind {
    Integer,
    Text,
    Time,
}

/// How a field is sorted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SortedBy {
    /// By row number, which gives the same order.
    Number,
    Index(KeyKind),
    /// Without an index: short lists only.
    Unindexed(KeyKind),
}

/// A sort field of a list.
#[derive(Clone, Copy, Debug)]
pub struct SortField {
    pub name: &'static str,
    pub by: SortedBy,
}

/// A list with its sort fields. By default, newest rows come first.
#[derive(Debug)]
pub struct List {
    pub name: &'static str,
    pub fields: &'static [SortField],
    /// The field by which newest rows come first, in long lists whose ranges of time are found by an index; in others it is the row number.
    pub newest: Option<&'static str>,
}

impl List {
    const fn of(name: &'static str, fields: &'static [SortField]) -> List {
        List { name, fields, newest: None }
    }

    /// A long list with an index by time.
    const fn by_time(name: &'static str, newest: &'static str, fields: &'static [SortField]) -> List {
        List { name, fields, newest: Some(newest) }
    }
}

const fn number(name: &'static str) -> SortField {
    SortField { name, by: SortedBy::Number }
}

const fn index(name: &'static str, kind: KeyKind) -> SortField {
    SortField { name, by: SortedBy::Index(kind) }
}

const fn unindexed(name: &'static str, kind: KeyKind) -> SortField {
    SortField { name, by: SortedBy::Unindexed(kind) }
}

/// The proxies of an account.
pub const NODES: List = List::of(
    "nodes",
    &[
        index("Ip", KeyKind::Text),
        index("Country", KeyKind::Text),
        index("City", KeyKind::Text),
        index("Isp", KeyKind::Text),
        unindexed("VerStr", KeyKind::Text),
        unindexed("State", KeyKind::Text),
        unindexed("AssignedAt", KeyKind::Time),
        index("ExpiresAt", KeyKind::Time),
    ],
);

/// The orders of an account.
pub const ORDERS: List = List::of("orders", &[number("CreatedAt"), unindexed("Total", KeyKind::Integer)]);

/// The orders of all accounts.
pub const ALL_ORDERS: List = List::by_time(
    "all_orders",
    "CreatedAt",
    &[index("CreatedAt", KeyKind::Time), unindexed("Total", KeyKind::Integer)],
);

/// The payments of all accounts.
pub const PAYMENTS: List =
    List::by_time("payments", "CreatedAt", &[index("CreatedAt", KeyKind::Time), unindexed("Amount", KeyKind::Integer)]);

/// The nodes of the shop, whoever has them.
pub const INVENTORY: List = List::of(
    "inventory",
    &[
        number("NodeId"),
        index("Ip", KeyKind::Text),
        unindexed("Country", KeyKind::Text),
        unindexed("City", KeyKind::Text),
        unindexed("Isp", KeyKind::Text),
        unindexed("State", KeyKind::Text),
        unindexed("Supplier", KeyKind::Text),
        unindexed("ExpiresAt", KeyKind::Time),
    ],
);

/// The transactions of a wallet.
pub const TRANSACTIONS: List = List::of("transactions", &[number("CreatedAt")]);

/// The invoices and credit notes of an account.
pub const INVOICES: List = List::of("invoices", &[number("IssuedAt")]);

/// The invoices and credit notes of all accounts.
pub const ALL_INVOICES: List = List::by_time("all_invoices", "IssuedAt", &[index("IssuedAt", KeyKind::Time)]);

/// The switches of an account.
pub const SWITCHES: List =
    List::of("switches", &[number("CreatedAt"), unindexed("OldIp", KeyKind::Text), unindexed("NewIp", KeyKind::Text)]);

/// The whitelist of an account.
pub const WHITE_LIST: List = List::of("white_list", &[unindexed("Address", KeyKind::Text), number("CreatedAt")]);

/// The accounts of a shop.
pub const ACCOUNTS: List = List::of("accounts", &[number("CreatedAt")]);

/// The proxy users of an account: few enough to be sorted in memory.
pub const PROXY_USERS: List = List::of(
    "proxy_users",
    &[
        unindexed("Name", KeyKind::Text),
        unindexed("UsedBytes", KeyKind::Integer),
        unindexed("LastUsedAt", KeyKind::Time),
        number("CreatedAt"),
        unindexed("ExpiresAt", KeyKind::Time),
    ],
);

/// Usage records that were rejected.
pub const REJECTED_USAGE: List = List::of("rejected_usage", &[number("ReceivedAt")]);

/// What operators did.
pub const AUDIT_LOG: List = List::by_time("audit_log", "At", &[index("At", KeyKind::Time)]);

/// The security log of a user.
pub const SECURITY_LOG: List = List::of("security_log", &[number("At")]);

/// The notifications of a user.
pub const NOTIFICATIONS: List = List::of("notifications", &[number("CreatedAt")]);

/// The accounts that an account referred.
pub const REFERRED: List = List::of("referred", &[number("SignedUpAt")]);

/// The commissions of a referrer.
pub const COMMISSIONS: List = List::of("commissions", &[number("EarnedAt")]);

/// Referrals that an operator reviews.
pub const REFERRAL_REVIEWS: List = List::of("referral_reviews", &[number("SignedUpAt")]);

/// The deliveries to webhooks of an account.
pub const DELIVERIES: List = List::of("deliveries", &[number("CreatedAt")]);

/// The conversations of all accounts with support.
pub const CONVERSATIONS: List =
    List::of("conversations", &[index("LastMessageAt", KeyKind::Time), index("WaitingSince", KeyKind::Time)]);

/// The mails of the last days.
pub const MAILS: List = List::of("mails", &[number("CreatedAt")]);

/// What operators have to look at, of payments.
pub const PAYMENT_CASES: List = List::of("payment_cases", &[number("OpenedAt")]);

/// Money that gateways took back.
pub const PAYMENT_RETURNS: List = List::of("payment_returns", &[number("OpenedAt")]);

/// Gateway callbacks.
pub const CALLBACKS: List = List::of("callbacks", &[number("ReceivedAt")]);

impl List {
    /// The fields that a list of this many rows can be sorted by.
    pub fn sortable_fields(&self, rows: i64) -> Vec<&'static str> {
        let is_offered = |field: &&SortField| rows <= SORTED_ROWS || !matches!(field.by, SortedBy::Unindexed(_));
        self.fields.iter().filter(is_offered).map(|field| field.name).collect()
    }

    /// Builds the order from pairs of a field name and whether it is descending.
    pub fn order<'a>(&self, asked: impl IntoIterator<Item = (&'a str, bool)>) -> Result<Order, OrderError> {
        let mut order = Order { sorts: Vec::new(), numbers_descend: true };
        let mut is_whole = false;
        let mut asked = asked.into_iter().peekable();
        let newest = self.newest.filter(|_| asked.peek().is_none()).map(|name| (name, true));
        for (count, (name, descends)) in asked.chain(newest).enumerate() {
            let field = self.fields.iter().find(|field| field.name == name);
            let field = field.ok_or_else(|| OrderError::UnknownField(name.to_owned()))?;
            if count == MAX_SORT_FIELDS {
                return Err(OrderError::TooMany);
            }
            // Row numbers are unique, so further sort fields have no effect.
            if is_whole {
                continue;
            }
            order.numbers_descend = descends;
            match field.by {
                SortedBy::Number => is_whole = true,
                SortedBy::Index(kind) | SortedBy::Unindexed(kind) => {
                    if order.sorts.iter().all(|sort| sort.field != field.name) {
                        order.sorts.push(Sort { field: field.name, kind, descends });
                    }
                }
            }
        }
        Ok(order)
    }
}

/// Why a requested order is invalid.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OrderError {
    UnknownField(String),
    TooMany,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Sort {
    pub field: &'static str,
    pub kind: KeyKind,
    pub descends: bool,
}

/// A total order of rows: by the sort fields, then by row number, in the direction of the last sort field.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Order {
    pub sorts: Vec<Sort>,
    pub numbers_descend: bool,
}

impl Order {
    /// Compares two rows, for lists that are sorted in memory.
    pub fn compare(&self, one: &Cursor, other: &Cursor) -> Ordering {
        let turned = |order: Ordering, descends: bool| if descends { order.reverse() } else { order };
        let keys = self.sorts.iter().zip(one.keys.iter().zip(&other.keys));
        let by_keys = keys.fold(Ordering::Equal, |order, (sort, (one, other))| {
            order.then_with(|| turned(one.cmp(other), sort.descends))
        });
        by_keys.then_with(|| turned(one.number.cmp(&other.number), self.numbers_descend))
    }
}

/// The value of a sort field.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum CursorKey {
    Integer(i64),
    Text(String),
    Time(NaiveDateTime),
}

/// The cursor of a row in an order.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cursor {
    /// One per sort field.
    pub keys: Vec<CursorKey>,
    pub number: i64,
}

impl Cursor {
    /// Encodes the cursor, opaque to clients and valid only for this list in this order.
    pub fn write(&self, list: &List, order: &Order) -> String {
        let mut text = part(list.name);
        for (sort, key) in order.sorts.iter().zip(&self.keys) {
            text.push_str(&part(sort.field));
            text.push_str(&match key {
                CursorKey::Integer(number) => part(&number.to_string()),
                CursorKey::Text(text) => part(text),
                CursorKey::Time(time) => {
                    let instant = time.and_utc();
                    part(&format!("{}.{:09}", instant.timestamp(), instant.timestamp_subsec_nanos()))
                }
            });
        }
        text.push_str(&part(if order.numbers_descend { "-" } else { "+" }));
        text.push_str(&part(&self.number.to_string()));
        encode(text.as_bytes())
    }

    /// Decodes a cursor that `write` encoded for the same list in the same order; anything else is rejected.
    pub fn read(text: &str, list: &List, order: &Order) -> Result<Cursor, FieldErrors> {
        let cursor = if text.len() > KEY_MAX_LENGTH { None } else { read_cursor(text, list, order) };
        cursor.ok_or_else(|| FieldErrors::one("After", Rule::ListKey, &[]))
    }
}

fn read_cursor(text: &str, list: &List, order: &Order) -> Option<Cursor> {
    let text = String::from_utf8(decode(text)?).ok()?;
    let mut rest = text.as_str();
    let mut keys = Vec::with_capacity(order.sorts.len());
    if take_part(&mut rest)? != list.name {
        return None;
    }
    for sort in &order.sorts {
        if take_part(&mut rest)? != sort.field {
            return None;
        }
        let value = take_part(&mut rest)?;
        keys.push(match sort.kind {
            KeyKind::Integer => CursorKey::Integer(value.parse().ok()?),
            KeyKind::Text if value.contains('\0') => return None,
            KeyKind::Text => CursorKey::Text(value.to_owned()),
            KeyKind::Time => {
                let (seconds, nanoseconds) = value.split_once('.')?;
                let instant = DateTime::from_timestamp(seconds.parse().ok()?, nanoseconds.parse().ok()?)?;
                CursorKey::Time(instant.naive_utc())
            }
        });
    }
    if take_part(&mut rest)? != if order.numbers_descend { "-" } else { "+" } {
        return None;
    }
    let number = take_part(&mut rest)?.parse().ok()?;
    rest.is_empty().then_some(Cursor { keys, number })
}

/// Encodes a text with its length, so that it may contain any character.
fn part(text: &str) -> String {
    format!("{}:{text}", text.len())
}

fn take_part<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let (length, after) = rest.split_once(':')?;
    let (part, after) = after.split_at_checked(length.parse().ok()?)?;
    *rest = after;
    Some(part)
}

/// URL-safe base 64; the first character is a letter, so that a cursor is never mistaken for a number or a date.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const MARK: char = 'k';

fn encode(bytes: &[u8]) -> String {
    let mut text = String::from(MARK);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0, |bits: u32, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..=chunk.len() {
            text.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]));
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for chunk in text.strip_prefix(MARK)?.as_bytes().chunks(4) {
        if chunk.len() == 1 {
            return None;
        }
        let mut bits: u32 = 0;
        for digit in chunk {
            bits = bits << 6 | u32::try_from(DIGITS.iter().position(|other| other == digit)?).ok()?;
        }
        let whole = (bits << (6 * (4 - chunk.len()))).to_be_bytes();
        bytes.extend_from_slice(whole.get(1..chunk.len())?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by(list: &List, sorts: &[(&str, bool)]) -> Order {
        list.order(sorts.iter().copied()).expect("an order")
    }

    #[test]
    fn sorts_after_the_row_number_have_no_effect() {
        assert_eq!(by(&NODES, &[]), Order { sorts: vec![], numbers_descend: true });
        assert_eq!(
            by(&ORDERS, &[("CreatedAt", false), ("Total", true)]),
            Order { sorts: vec![], numbers_descend: false }
        );
        let total = Sort { field: "Total", kind: KeyKind::Integer, descends: true };
        let twice = by(&ORDERS, &[("Total", true), ("Total", false)]);
        assert_eq!(twice, Order { sorts: vec![total], numbers_descend: false });
    }

    #[test]
    fn newest_rows_come_first_by_their_time_or_number() {
        let at = Sort { field: "CreatedAt", kind: KeyKind::Time, descends: true };
        let newest = Order { sorts: vec![at], numbers_descend: true };
        assert_eq!(by(&ALL_ORDERS, &[]), newest);
        assert_eq!(by(&ALL_ORDERS, &[("CreatedAt", true)]), newest);
        assert_eq!(by(&ORDERS, &[]), by(&ORDERS, &[("CreatedAt", true)]));
    }

    #[test]
    fn unknown_and_too_many_sort_fields_are_rejected() {
        let unknown = NODES.order([("Password", false)]);
        assert_eq!(unknown, Err(OrderError::UnknownField("Password".to_owned())));
        let five = ["Ip", "Country", "City", "Isp", "State"].map(|field| (field, false));
        assert_eq!(NODES.order(five), Err(OrderError::TooMany));
        assert!(NODES.order(five[..4].iter().copied()).is_ok());
    }

    #[test]
    fn long_lists_can_only_be_sorted_by_indexed_fields() {
        assert_eq!(NODES.sortable_fields(SORTED_ROWS).len(), NODES.fields.len());
        assert_eq!(NODES.sortable_fields(SORTED_ROWS + 1), ["Ip", "Country", "City", "Isp", "ExpiresAt"]);
        assert_eq!(ORDERS.sortable_fields(SORTED_ROWS + 1), ["CreatedAt"]);
    }

    #[test]
    fn a_cursor_is_valid_only_for_its_list_and_order() {
        let order = by(&NODES, &[("Ip", false)]);
        let cursor = Cursor { keys: vec![CursorKey::Text("10.0.0.9".to_owned())], number: 7 };
        let text = cursor.write(&NODES, &order);
        assert_eq!(Cursor::read(&text, &NODES, &order), Ok(cursor));
        for other in [by(&NODES, &[("Ip", true)]), by(&NODES, &[("City", false)]), by(&NODES, &[])] {
            assert!(Cursor::read(&text, &NODES, &other).is_err(), "{other:?}");
        }
        let number = Cursor { keys: vec![], number: 7 };
        let text = number.write(&ORDERS, &by(&ORDERS, &[]));
        assert!(Cursor::read(&text, &TRANSACTIONS, &by(&TRANSACTIONS, &[])).is_err());
        for forged in
            ["", "k", "7", "k7", "kMTo3", "k%", "zz", &"k".repeat(3_000), &format!("{text}A"), &text[..text.len() - 2]]
        {
            assert!(Cursor::read(forged, &ORDERS, &by(&ORDERS, &[])).is_err(), "{forged}");
        }
    }

    proptest! {
        #[test]
        fn every_cursor_round_trips(
            ip in "[^\0]{0,40}", seconds in -62_000_000_000_i64..250_000_000_000, nanoseconds in 0_u32..1_000_000_000, number: i64,
        ) {
            let order = by(&NODES, &[("Isp", true), ("ExpiresAt", false)]);
            let time = DateTime::from_timestamp(seconds, nanoseconds).expect("a time").naive_utc();
            let cursor = Cursor { keys: vec![CursorKey::Text(ip), CursorKey::Time(time)], number };
            prop_assert_eq!(Cursor::read(&cursor.write(&NODES, &order), &NODES, &order), Ok(cursor));
        }

        #[test]
        fn any_cursor_text_is_handled(text in ".{0,80}") {
            let _ = Cursor::read(&text, &NODES, &by(&NODES, &[("ExpiresAt", false)]));
            let marked: String = format!("k{}", text.chars().filter(char::is_ascii_alphanumeric).collect::<String>());
            let _ = Cursor::read(&marked, &NODES, &by(&NODES, &[("ExpiresAt", false)]));
        }
    }
}
