//! What operators search orders and payments for.
use crate::account::is_order_number;

/// What an operator searches orders and payments of all accounts for. A whole order number and an e-mail address are found by an index, however many
/// orders there are.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OrderSearch {
    Everything,
    /// A whole order number.
    Number(String),
    /// Part of an e-mail address: order numbers have no `@`.
    Email(String),
    /// Part of an order number, in capital letters, or of an e-mail address, in small ones.
    Part(String, String),
}

pub fn order_search(text: &str) -> OrderSearch {
    let text = text.trim();
    match text {
        "" => OrderSearch::Everything,
        _ if is_order_number(text) => OrderSearch::Number(text.to_uppercase()),
        _ if text.contains('@') => OrderSearch::Email(text.to_lowercase()),
        _ => OrderSearch::Part(text.to_uppercase(), text.to_lowercase()),
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
            ("Ann@Example", OrderSearch::Email("ann@example".to_owned())),
            ("PO2345", OrderSearch::Part("PO2345".to_owned(), "po2345".to_owned())),
            ("PO2345678901", OrderSearch::Part("PO2345678901".to_owned(), "po2345678901".to_owned())),
            ("Ann", OrderSearch::Part("ANN".to_owned(), "ann".to_owned())),
        ] {
            assert_eq!(order_search(text), search, "{text}");
        }
    }
}
