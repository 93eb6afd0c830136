//! Resellers: customers with a wholesale discount on orders and renewals: who may grant it, its maximum, and when it applies.
use crate::money::{Money, MoneyError};
use crate::permission::Level;
use crate::quote::WHOLE_BASIS_POINTS;

/// The maximum wholesale discount, in hundredths of a percent: a discount alone makes nothing free, so a typo cannot give everything away.
pub const MAX_DISCOUNT_BASIS_POINTS: u32 = 9_000;

/// The terms of an account: its level, and its wholesale discount in hundredths of a percent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AccountTerms {
    pub level: Level,
    pub reseller_basis_points: u32,
}

impl AccountTerms {
    /// The effective discount: 0 unless the account is a reseller, whatever is stored.
    pub fn discount_in_force(self) -> u32 {
        if self.level == Level::Reseller { self.reseller_basis_points } else { 0 }
    }
}

/// Whether an operator may change an account from this level to that one. Operators are appointed only on the server's command line.
pub fn operator_can_grant(current: Level, wanted: Level) -> bool {
    current != Level::Operator && wanted != Level::Operator
}

/// The reseller's price for this list price, rounded as in a quote for one item. A discount above 100 % is `Overflow`.
pub fn reseller_price(list_price: Money, basis_points: u32) -> Result<Money, MoneyError> {
    if basis_points > WHOLE_BASIS_POINTS {
        return Err(MoneyError::Overflow);
    }
    list_price.checked_sub(list_price.share(basis_points)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quote::{Terms, estimate};
    use crate::tier::Catalogue;

    #[test]
    fn only_a_reseller_has_an_effective_discount() {
        let in_force = |level| AccountTerms { level, reseller_basis_points: 1_500 }.discount_in_force();
        assert_eq!([Level::Customer, Level::Reseller, Level::Operator].map(in_force), [0, 1_500, 0]);
    }

    #[test]
    fn an_operator_can_neither_appoint_nor_change_operators() {
        for (current, wanted, can) in [
            (Level::Operator, Level::Customer, false),
            (Level::Operator, Level::Operator, false),
            (Level::Customer, Level::Operator, false),
            (Level::Customer, Level::Reseller, true),
            (Level::Reseller, Level::Customer, true),
            (Level::Reseller, Level::Reseller, true),
        ] {
            assert_eq!(operator_can_grant(current, wanted), can, "{current:?} {wanted:?}");
        }
    }

    #[test]
    fn the_resellers_price_equals_the_quote_for_one_ip() {
        let catalogue = Catalogue::default();
        for basis_points in [0, 1, 333, 1_250, 1_500, 5_555, MAX_DISCOUNT_BASIS_POINTS] {
            let terms = Terms { reseller_basis_points: basis_points, coupon: None };
            for tier in &catalogue.tiers {
                let quoted = estimate(&tier.ver_str, 30, 1, &catalogue, &terms).map(|quote| quote.total);
                assert_eq!(reseller_price(tier.price, basis_points).ok(), quoted.ok(), "{basis_points}");
            }
        }
        assert_eq!(reseller_price(Money::from_minor(500), 10_001), Err(MoneyError::Overflow));
    }
}
