//! What operators search orders and payments for.
use crate::account::is_order_number;

/// What an operator searches orders and payments of all accounts for. A whole order number and an e-mail address are found by an index, however many
/// orders there are.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OrderSearch {
    Everything,
    /// A whole order number.
    Number(String),
    /// An e-mail address or part of one: order numbers have no `@`.
    Email(String),
    /// Part of an order number or of an e-mail address.
    Part(String),
}

impl OrderSearch {
    /// The e-mail address, or part of one, to search accounts for.
    pub fn email(&self) -> Option<&str> {
        match self {
            OrderSearch::Email(part) | OrderSearch::Part(part) => Some(part),
            OrderSearch::Everything | OrderSearch::Number(_) => None,
        }
    }
}

pub fn order_search(text: &str) -> OrderSearch {
    let text = text.trim();
    match text {
        "" => OrderSearch::Everything,
        _ if is_order_number(text) => OrderSearch::Number(text.to_uppercase()),
        _ if text.contains('@') => OrderSearch::Email(text.to_owned()),
        _ => OrderSearch::Part(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_order_number_and_an_address_are_searched_as_such() {
        for (text, search) in [
            ("  ", OrderSearch::Everything),
            (" po23456789ab ", OrderSearch::Number("PO23456789AB".to_owned())),
            ("Ann@Example", OrderSearch::Email("Ann@Example".to_owned())),
            ("PO2345", OrderSearch::Part("PO2345".to_owned())),
            ("PO2345678901", OrderSearch::Part("PO2345678901".to_owned())),
            ("Ann", OrderSearch::Part("Ann".to_owned())),
        ] {
            assert_eq!(order_search(text), search, "{text}");
        }
    }
}
