//! Resellers: customers with a wholesale discount on orders and renewals: who may grant it, its maximum, and when it applies.
use crate::money::{Money, MoneyError};
use crate::permission::Level;
use crate::quote::WHOLE_BASIS_POINTS;
use crate::staff::StaffRole;

/// The maximum wholesale discount, in hundredths of a percent: a discount alone makes nothing free, so a typo cannot give everything away.
pub const MAX_DISCOUNT_BASIS_POINTS: u32 = 9_000;

/// The terms of an account: its level, its wholesale discount in hundredths of a percent, and the role of an operator's account.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AccountTerms {
    pub level: Level,
    pub reseller_basis_points: u32,
    pub role: StaffRole,
}

impl AccountTerms {
    /// The effective discount: 0 unless the account is a reseller, whatever is stored.
    pub fn discount_in_force(self) -> u32 {
        if self.level == Level::Reseller { self.reseller_basis_points } else { 0 }
    }

    /// The role of an operator's account; `None` for customers.
    pub fn role_in_force(self) -> Option<StaffRole> {
        (self.level == Level::Operator).then_some(self.role)
    }
}

/// Whether an operator may change an account's terms from these to those. Those who may do everything are appointed and dismissed only on the
/// server's command line.
pub fn operator_can_grant(current: AccountTerms, wanted: AccountTerms) -> bool {
    [current, wanted].iter().all(|terms| terms.role_in_force().is_none_or(StaffRole::is_granted_on_screen))
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

    fn of(level: Level, role: StaffRole) -> AccountTerms {
        AccountTerms { level, reseller_basis_points: 1_500, role }
    }

    #[test]
    fn only_a_reseller_has_an_effective_discount() {
        let in_force = |level| of(level, StaffRole::Operator).discount_in_force();
        assert_eq!([Level::Customer, Level::Reseller, Level::Operator].map(in_force), [0, 1_500, 0]);
    }

    #[test]
    fn an_operator_appoints_support_and_accountants_but_no_operators() {
        let customer = of(Level::Customer, StaffRole::Operator);
        let reseller = of(Level::Reseller, StaffRole::Operator);
        let [operator, support, accountant] =
            [StaffRole::Operator, StaffRole::Support, StaffRole::Accountant].map(|role| of(Level::Operator, role));
        for (current, wanted, can) in [
            (operator, customer, false),
            (operator, operator, false),
            (operator, support, false),
            (customer, operator, false),
            (support, operator, false),
            (customer, reseller, true),
            (reseller, customer, true),
            (reseller, reseller, true),
            (customer, support, true),
            (support, accountant, true),
            (accountant, customer, true),
        ] {
            assert_eq!(operator_can_grant(current, wanted), can, "{current:?} {wanted:?}");
        }
        assert_eq!((customer.role_in_force(), support.role_in_force()), (None, Some(StaffRole::Support)));
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
