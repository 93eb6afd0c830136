//! Quotes: what an order of static residential proxies costs. The browser previews with it, the server charges by it.
use crate::money::{Currency, Money, MoneyError};
use crate::tier::{Catalogue, PRICE_PERIOD_DAYS};
use serde::{Deserialize, Serialize};

/// Rows with different cities that one order may have.
pub const MAX_LINES: usize = 20;
/// IPs that one order may have in all.
pub const MAX_QUANTITY: u32 = 5_000;

/// What somebody wants to buy: IPs of one tier, for one period, in one or more cities.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct QuoteRequest {
    pub ver_str: String,
    pub period_days: u32,
    pub lines: Vec<LineRequest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// So many IPs in one city. `country` is the two-letter code, `city` the key of core's table of places.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct LineRequest {
    pub country: String,
    pub city: String,
    pub quantity: u32,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Quote {
    pub ver_str: String,
    pub period_days: u32,
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub currency: Currency,
    /// Per IP for the whole period, before discounts.
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub unit_price: Money,
    pub quantity: u32,
    pub lines: Vec<QuoteLine>,
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub subtotal: Money,
    pub discounts: Vec<Discount>,
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub discount_total: Money,
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub total: Money,
}

/// `amount` is the line's part of the subtotal, before discounts; `net` its part of the total. Both add up exactly.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct QuoteLine {
    pub country: String,
    pub city: String,
    pub quantity: u32,
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub amount: Money,
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub net: Money,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DiscountKind {
    Period,
    Quantity,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Discount {
    pub kind: DiscountKind,
    pub basis_points: u32,
    #[cfg_attr(feature = "tsify", tsify(type = "string"))]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub amount: Money,
}

/// Why there is no quote. `Line` variants carry the index of the line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum QuoteError {
    UnknownTier,
    UnknownPeriod,
    NoLines,
    TooManyLines { max: usize },
    LineQuantityIsZero { line: usize },
    RepeatedCity { line: usize },
    TooManyIps { max: u32 },
    Overflow,
}

impl From<MoneyError> for QuoteError {
    fn from(_: MoneyError) -> QuoteError {
        QuoteError::Overflow
    }
}

/// Prices a request. Discounts follow each other: the quantity's is taken from what the period's left, each rounded
/// to a cent. The total is shared among the lines by their amounts so that not a cent is lost or made.
pub fn quote(request: &QuoteRequest, catalogue: &Catalogue) -> Result<Quote, QuoteError> {
    let tier = catalogue.tier(&request.ver_str).ok_or(QuoteError::UnknownTier)?;
    let period = catalogue.period(request.period_days).ok_or(QuoteError::UnknownPeriod)?;
    let quantity = count_ips(&request.lines)?;
    let unit_price = price_for(tier.price, period.period_days)?;
    let subtotal = unit_price.times(quantity)?;

    let mut total = subtotal;
    let mut discounts = Vec::new();
    let steps = [
        (DiscountKind::Period, period.discount_basis_points),
        (DiscountKind::Quantity, catalogue.quantity_discount(quantity)),
    ];
    for (kind, basis_points) in steps.into_iter().filter(|(_, basis_points)| *basis_points > 0) {
        let amount = total.share(basis_points)?;
        total = total.checked_sub(amount)?;
        discounts.push(Discount { kind, basis_points, amount });
    }

    Ok(Quote {
        ver_str: request.ver_str.clone(),
        period_days: request.period_days,
        currency: catalogue.currency,
        unit_price,
        quantity,
        lines: share_among(&request.lines, unit_price, subtotal, total)?,
        subtotal,
        discount_total: subtotal.checked_sub(total)?,
        discounts,
        total,
    })
}

/// Prices so many IPs without saying where they are, as a calculator asks: the place does not change the price.
pub fn estimate(ver_str: &str, period_days: u32, quantity: u32, catalogue: &Catalogue) -> Result<Quote, QuoteError> {
    let line = LineRequest { quantity, ..LineRequest::default() };
    quote(&QuoteRequest { ver_str: ver_str.to_owned(), period_days, lines: vec![line], target: None }, catalogue)
}

/// The price of one IP for a period: the price of 30 days, in proportion, rounded to a cent.
pub fn price_for(price: Money, period_days: u32) -> Result<Money, MoneyError> {
    price.proportion(i64::from(period_days), i64::from(PRICE_PERIOD_DAYS))
}

fn count_ips(lines: &[LineRequest]) -> Result<u32, QuoteError> {
    if lines.is_empty() {
        return Err(QuoteError::NoLines);
    }
    if lines.len() > MAX_LINES {
        return Err(QuoteError::TooManyLines { max: MAX_LINES });
    }
    let mut quantity: u32 = 0;
    for (index, line) in lines.iter().enumerate() {
        if line.quantity == 0 {
            return Err(QuoteError::LineQuantityIsZero { line: index });
        }
        if lines[..index].iter().any(|earlier| earlier.country == line.country && earlier.city == line.city) {
            return Err(QuoteError::RepeatedCity { line: index });
        }
        quantity = quantity.saturating_add(line.quantity);
    }
    if quantity > MAX_QUANTITY {
        return Err(QuoteError::TooManyIps { max: MAX_QUANTITY });
    }
    Ok(quantity)
}

/// Each line's net is its share of what is left for it and those after it; the last takes the rest.
fn share_among(
    lines: &[LineRequest],
    unit_price: Money,
    subtotal: Money,
    total: Money,
) -> Result<Vec<QuoteLine>, QuoteError> {
    let (mut left, mut left_of_total) = (subtotal, total);
    let mut shared = Vec::with_capacity(lines.len());
    for line in lines {
        let amount = unit_price.times(line.quantity)?;
        let net = if left.is_zero() { Money::ZERO } else { left_of_total.proportion(amount.minor(), left.minor())? };
        left = left.checked_sub(amount)?;
        left_of_total = left_of_total.checked_sub(net)?;
        shared.push(QuoteLine {
            country: line.country.clone(),
            city: line.city.clone(),
            quantity: line.quantity,
            amount,
            net,
        });
    }
    Ok(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(period_days: u32, quantities: &[u32]) -> QuoteRequest {
        let line = |(index, quantity): (usize, &u32)| LineRequest {
            country: "US".into(),
            city: format!("city-{index}"),
            quantity: *quantity,
        };
        QuoteRequest {
            ver_str: "shared ISP proxies plan".into(),
            period_days,
            lines: quantities.iter().enumerate().map(line).collect(),
            target: None,
        }
    }

    #[test]
    fn an_estimate_is_the_quote_of_so_many_ips_in_whatever_cities() {
        let catalogue = Catalogue::default();
        let estimated =
            estimate("shared ISP proxies plan", 90, 24, &catalogue).map(|quote| (quote.subtotal, quote.total));
        let quoted = quote(&request(90, &[20, 4]), &catalogue).map(|quote| (quote.subtotal, quote.total));
        assert_eq!(estimated, quoted);
        assert_eq!(
            estimate("shared ISP proxies plan", 30, 0, &catalogue),
            Err(QuoteError::LineQuantityIsZero { line: 0 })
        );
    }

    #[test]
    fn what_cannot_be_bought_has_no_quote() {
        let catalogue = Catalogue::default();
        let repeated = QuoteRequest { lines: vec![request(30, &[1]).lines[0].clone(); 2], ..request(30, &[]) };
        for (request, error) in [
            (QuoteRequest { ver_str: "no such plan".into(), ..request(30, &[1]) }, QuoteError::UnknownTier),
            (request(31, &[1]), QuoteError::UnknownPeriod),
            (request(30, &[]), QuoteError::NoLines),
            (request(30, &[1; 21]), QuoteError::TooManyLines { max: 20 }),
            (request(30, &[1, 0]), QuoteError::LineQuantityIsZero { line: 1 }),
            (request(30, &[5_000, 1]), QuoteError::TooManyIps { max: 5_000 }),
            (request(30, &[u32::MAX, u32::MAX]), QuoteError::TooManyIps { max: 5_000 }),
            (repeated, QuoteError::RepeatedCity { line: 1 }),
        ] {
            assert_eq!(quote(&request, &catalogue), Err(error));
        }
    }

    #[test]
    fn three_regular_ips_for_thirty_days_cost_fifteen_dollars() {
        let quote = quote(&request(30, &[2, 1]), &Catalogue::default()).expect("a quote");
        assert_eq!((quote.unit_price.minor(), quote.total.minor(), quote.discounts.len()), (500, 1500, 0));
        assert_eq!(quote.lines.iter().map(|line| line.net.minor()).collect::<Vec<_>>(), [1000, 500]);
    }

    #[test]
    fn the_quantity_discount_is_taken_from_what_the_period_left() {
        let quote = quote(&request(90, &[20]), &Catalogue::default()).expect("a quote");
        let amounts: Vec<_> = quote.discounts.iter().map(|discount| (discount.kind, discount.amount.minor())).collect();
        assert_eq!(quote.subtotal.minor(), 30_000);
        assert_eq!(amounts, [(DiscountKind::Period, 1_500), (DiscountKind::Quantity, 855)]);
        assert_eq!((quote.discount_total.minor(), quote.total.minor()), (2_355, 27_645));
    }
}
