//! Plan tiers and the catalogue: products, prices and periods (specification, sections 3 and 9).
use crate::money::{Currency, Money};
use serde::{Deserialize, Serialize};

/// The number of days that a tier's price covers.
pub const PRICE_PERIOD_DAYS: u32 = 30;

/// The infrastructure of a node: dedicated or shared.
pub const DEDICATED_NODE_TYPE: u8 = 1;
pub const SHARED_NODE_TYPE: u8 = 2;

/// A plan tier, in the fields of the specification. `VerStr` is the specification's `value`: the key of the tier in every call and table.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Tier {
    pub ver_str: String,
    pub label_en: String,
    pub label_zh: String,
    pub desc_en: String,
    pub desc_zh: String,
    /// The infrastructure of its nodes: 1 if dedicated, 2 if shared.
    pub node_type: u8,
    /// Price per IP and 30 days.
    pub price: Money,
    /// Whether it can be ordered. What customers have of it is renewed and switched either way.
    #[serde(default = "sold")]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub is_sold: bool,
    /// How many connections one of its IPs may have open at the same time; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = u32, required = false))]
    pub max_connections: Option<u32>,
    /// How much one of its IPs may carry, in megabits per second; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = u32, required = false))]
    pub max_megabits: Option<u32>,
}

fn sold() -> bool {
    true
}

/// A period on offer, and its discount in hundredths of a percent.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Period {
    pub period_days: u32,
    pub discount_basis_points: u32,
}

/// A volume discount: from this many IPs in one order on, in hundredths of a percent.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct QuantityStep {
    pub min_quantity: u32,
    pub discount_basis_points: u32,
}

/// All price data that quotes need. The shop's own catalogue is in its database; a new shop starts with the default one, of which it sells nothing.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Catalogue {
    pub currency: Currency,
    pub tiers: Vec<Tier>,
    pub periods: Vec<Period>,
    pub quantity_steps: Vec<QuantityStep>,
}

/// The next volume discount.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct NextStep {
    pub missing_quantity: u32,
    pub discount_basis_points: u32,
}

impl Catalogue {
    pub fn tier(&self, ver_str: &str) -> Option<&Tier> {
        self.tiers.iter().find(|tier| tier.ver_str == ver_str)
    }

    pub(crate) fn tier_mut(&mut self, ver_str: &str) -> Option<&mut Tier> {
        self.tiers.iter_mut().find(|tier| tier.ver_str == ver_str)
    }

    pub fn period(&self, period_days: u32) -> Option<&Period> {
        self.periods.iter().find(|period| period.period_days == period_days)
    }

    /// The catalogue with which a shop begins: nothing is sold until the seller has chosen it.
    pub fn of_new_shop() -> Catalogue {
        let mut catalogue = Catalogue::default();
        catalogue.tiers.iter_mut().for_each(|tier| tier.is_sold = false);
        catalogue
    }

    /// The number of tiers that can be ordered.
    pub fn tiers_sold(&self) -> usize {
        self.tiers.iter().filter(|tier| tier.is_sold).count()
    }

    /// The discount for this many IPs: that of the highest step reached, or zero below the first.
    pub fn quantity_discount(&self, quantity: u32) -> u32 {
        let reached = self.quantity_steps.iter().filter(|step| step.min_quantity <= quantity);
        reached.max_by_key(|step| step.min_quantity).map_or(0, |step| step.discount_basis_points)
    }

    /// The number of additional IPs for the next discount; `None` beyond the last step.
    pub fn next_step(&self, quantity: u32) -> Option<NextStep> {
        let ahead = self.quantity_steps.iter().filter(|step| step.min_quantity > quantity);
        let next = ahead.min_by_key(|step| step.min_quantity)?;
        Some(NextStep {
            missing_quantity: next.min_quantity - quantity,
            discount_basis_points: next.discount_basis_points,
        })
    }
}

impl Default for Catalogue {
    fn default() -> Catalogue {
        let tier = |ver_str: &str, labels: [&str; 2], descs: [&str; 2], node_type, price_minor| Tier {
            ver_str: ver_str.to_owned(),
            label_en: labels[0].to_owned(),
            label_zh: labels[1].to_owned(),
            desc_en: descs[0].to_owned(),
            desc_zh: descs[1].to_owned(),
            node_type,
            price: Money::from_minor(price_minor),
            is_sold: true,
            max_connections: None,
            max_megabits: None,
        };
        Catalogue {
            currency: Currency::Usd,
            tiers: vec![
                tier(
                    "shared ISP proxies plan",
                    ["Regular", "普通"],
                    [
                        "Suitable for small and start-up businesses after a rigorous screening process",
                        "经过严格筛选，适合小型企业和初创公司",
                    ],
                    SHARED_NODE_TYPE,
                    500,
                ),
                tier(
                    "premium ISP proxies plan",
                    ["Premium", "原生"],
                    [
                        "Best-performing IPs for top targeted domains in eCommerce, travel and social media",
                        "面向电商、旅游和社交媒体热门域名，表现最佳的 IP",
                    ],
                    SHARED_NODE_TYPE,
                    900,
                ),
                tier(
                    "dedicated ISP proxies plan",
                    ["Dedicated", "尊享"],
                    [
                        "Enhanced from Native, with dedicated resources and superior reliability, for premium users",
                        "在原生基础上升级，资源独享、更加稳定，专为高端用户打造",
                    ],
                    DEDICATED_NODE_TYPE,
                    1_400,
                ),
            ],
            periods: [(30, 0), (90, 500), (180, 1_000), (360, 1_500)]
                .map(|(period_days, discount_basis_points)| Period { period_days, discount_basis_points })
                .to_vec(),
            quantity_steps: [(20, 300), (50, 500), (100, 800), (500, 1_200)]
                .map(|(min_quantity, discount_basis_points)| QuantityStep { min_quantity, discount_basis_points })
                .to_vec(),
        }
    }
}

/// A row of the node table: a kind of node that an account owns.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct NodeKind {
    pub ver_str: String,
    pub node_type: u8,
}

/// The tiers that an account owns: those with a row of the node table that has both their `NodeType` and their `VerStr` (specification,
/// section 3, "ownIpsProducts"), in the catalogue's order, without duplicates.
pub fn owned_products(rows: &[NodeKind], catalogue: &Catalogue) -> Vec<Tier> {
    let is_owned = |tier: &&Tier| rows.iter().any(|row| row.ver_str == tier.ver_str && row.node_type == tier.node_type);
    catalogue.tiers.iter().filter(is_owned).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_catalogue_matches_the_specification() {
        let catalogue = Catalogue::default();
        let rows: Vec<_> = catalogue
            .tiers
            .iter()
            .map(|tier| {
                (
                    tier.label_en.as_str(),
                    tier.label_zh.as_str(),
                    tier.ver_str.as_str(),
                    tier.node_type,
                    tier.price.to_string(),
                )
            })
            .collect();
        let expected = [
            ("Regular", "普通", "shared ISP proxies plan", 2, "5.00"),
            ("Premium", "原生", "premium ISP proxies plan", 2, "9.00"),
            ("Dedicated", "尊享", "dedicated ISP proxies plan", 1, "14.00"),
        ];
        assert_eq!(rows, expected.map(|(en, zh, value, kind, price)| (en, zh, value, kind, price.to_owned())));
    }

    #[test]
    fn a_product_is_owned_if_both_node_type_and_name_match() {
        let row = |ver_str: &str, node_type| NodeKind { ver_str: ver_str.to_owned(), node_type };
        let rows = [
            row("dedicated ISP proxies plan", 2),
            row("premium ISP proxies plan", 2),
            row("premium ISP proxies plan", 2),
        ];
        let owned: Vec<_> =
            owned_products(&rows, &Catalogue::default()).into_iter().map(|tier| tier.label_en).collect();
        assert_eq!(owned, ["Premium"]);
    }

    #[test]
    fn the_highest_step_reached_applies() {
        let catalogue = Catalogue::default();
        for (quantity, discount) in
            [(0, 0), (19, 0), (20, 300), (49, 300), (50, 500), (499, 800), (500, 1_200), (u32::MAX, 1_200)]
        {
            assert_eq!(catalogue.quantity_discount(quantity), discount, "{quantity}");
        }
    }

    #[test]
    fn the_next_step_gives_the_number_of_missing_ips() {
        let next = |quantity| {
            Catalogue::default().next_step(quantity).map(|step| (step.missing_quantity, step.discount_basis_points))
        };
        assert_eq!(next(0), Some((20, 300)));
        assert_eq!(next(19), Some((1, 300)));
        assert_eq!(next(20), Some((30, 500)));
        assert_eq!(next(499), Some((1, 1_200)));
        assert_eq!(next(500), None);
    }
}
