//! Quotes: the price of an order of static residential proxies. The browser previews it, and the server charges it.
use crate::coupon::{Coupon, CouponError, coupon_error_fields};
use crate::field_errors::{FieldErrors, both};
use crate::money::{Currency, Money, MoneyError};
use crate::place;
use crate::rule::Rule;
use crate::tier::{Catalogue, PRICE_PERIOD_DAYS};
use serde::{Deserialize, Serialize};

/// Validates a request for an order; errors are at the field to correct. Lines are named `Lines.0.Quantity`.
pub fn validate_order(request: &QuoteRequest, catalogue: &Catalogue) -> Result<(), FieldErrors> {
    quote_form(request, catalogue, &Terms::default()).map(|_| ())
}

/// The price of an order form: `quote_with_terms`, after checking that every line's country and city exist.
pub fn quote_form(request: &QuoteRequest, catalogue: &Catalogue, terms: &Terms) -> Result<Quote, FieldErrors> {
    let mut errors = FieldErrors::default();
    for (index, LineRequest { country, city, .. }) in request.lines.iter().enumerate() {
        if place::city_keys().any(|known| known == (country.as_str(), city.as_str())) {
            continue;
        }
        let line = format!("Lines.{index}.");
        if place::country(country).is_none() {
            errors.add(&(line + "Country"), Rule::UnknownCountry, &[("Value", country.clone())]);
        } else {
            errors.add(&(line + "City"), Rule::UnknownCity, &[("Value", city.clone())]);
        }
    }
    let quoted = quote_with_terms(request, catalogue, terms).map_err(quote_error_fields);
    both(errors.into_result(()), quoted).map(|((), quote)| quote)
}

pub fn quote_error_fields(error: QuoteError) -> FieldErrors {
    match error {
        QuoteError::UnknownTier => FieldErrors::one("VerStr", Rule::UnknownTier, &[]),
        QuoteError::TierNotSold => FieldErrors::one("VerStr", Rule::TierNotSold, &[]),
        QuoteError::UnknownPeriod => FieldErrors::one("PeriodDays", Rule::UnknownPeriod, &[]),
        QuoteError::NoLines => FieldErrors::one("Lines", Rule::ChooseAnIp, &[]),
        QuoteError::TooManyLines { max } => FieldErrors::one("Lines", Rule::TooManyCities, &[("Max", max.to_string())]),
        QuoteError::LineQuantityIsZero { line } => {
            FieldErrors::one(&format!("Lines.{line}.Quantity"), Rule::AtLeastOne, &[])
        }
        QuoteError::RepeatedCity { line } => FieldErrors::one(&format!("Lines.{line}.City"), Rule::RepeatedCity, &[]),
        QuoteError::RepeatedTier { line } => FieldErrors::one(&format!("Lines.{line}.VerStr"), Rule::RepeatedTier, &[]),
        QuoteError::TooManyIps { max } => FieldErrors::one("Lines", Rule::TooManyIps, &[("Max", max.to_string())]),
        QuoteError::Coupon(error) => coupon_error_fields(error),
        QuoteError::ResellerDiscount => {
            FieldErrors::one("ResellerBasisPoints", Rule::Discount, &[("Max", "100%".into())])
        }
        QuoteError::Overflow => FieldErrors::one("Lines", Rule::Amount, &[]),
    }
}

/// The maximum number of order lines, each with a different city.
pub const MAX_LINES: usize = 20;

/// The maximum number of IPs in one order.
pub const MAX_QUANTITY: u32 = 5_000;

/// 100 % in hundredths of a percent.
pub(crate) const WHOLE_BASIS_POINTS: u32 = 10_000;

/// A purchase request: IPs of one tier, for one period, in one or more cities.
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

/// A number of IPs in one city. `country` is the two-letter code, `city` the key of core's table of places.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct LineRequest {
    pub country: String,
    pub city: String,
    pub quantity: u32,
}

/// What the price depends on besides the catalogue: the customer's discount, and a coupon.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct Terms {
    /// The wholesale discount of the account, in hundredths of a percent; 0 for a customer.
    pub reseller_basis_points: u32,
    /// A coupon that the server has found valid for this account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coupon: Option<Coupon>,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Quote {
    pub ver_str: String,
    pub period_days: u32,
    pub currency: Currency,
    /// Price per IP for the whole period, before discounts.
    pub unit_price: Money,
    pub quantity: u32,
    pub lines: Vec<QuoteLine>,
    pub subtotal: Money,
    pub discounts: Vec<Discount>,
    pub discount_total: Money,
    pub total: Money,
}

/// `amount` is the line's share of the subtotal, before discounts; `net` its share of the total. Both add up exactly.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct QuoteLine {
    pub country: String,
    pub city: String,
    pub quantity: u32,
    pub amount: Money,
    pub net: Money,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DiscountKind {
    Period,
    Quantity,
    Reseller,
    Coupon,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Discount {
    pub kind: DiscountKind,
    /// Hundredths of a percent; 0 for an amount coupon.
    pub basis_points: u32,
    pub amount: Money,
}

/// Why a request cannot be quoted. Variants about a line carry its index.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum QuoteError {
    UnknownTier,
    /// The seller has not put it on sale, or paused it.
    TierNotSold,
    UnknownPeriod,
    NoLines,
    TooManyLines {
        max: usize,
    },
    LineQuantityIsZero {
        line: usize,
    },
    RepeatedCity {
        line: usize,
    },
    RepeatedTier {
        line: usize,
    },
    TooManyIps {
        max: u32,
    },
    /// The terms take off more than 100 %.
    ResellerDiscount,
    /// The coupon does not apply to this order.
    Coupon(CouponError),
    /// An amount exceeds 64 bits, or a discount exceeds 100 %.
    Overflow,
}

impl From<MoneyError> for QuoteError {
    fn from(_: MoneyError) -> QuoteError {
        QuoteError::Overflow
    }
}

/// Prices a request by the catalogue alone: `quote_with_terms` without terms.
pub fn quote(request: &QuoteRequest, catalogue: &Catalogue) -> Result<Quote, QuoteError> {
    quote_with_terms(request, catalogue, &Terms::default())
}

/// Prices a request. Discounts are applied in sequence (period, quantity, reseller, coupon), each to the remainder after the previous one,
/// rounded to a cent. The total is split among the lines in proportion to their amounts, to the cent. A coupon can reduce the total to
/// zero; then there is nothing to pay.
pub fn quote_with_terms(request: &QuoteRequest, catalogue: &Catalogue, terms: &Terms) -> Result<Quote, QuoteError> {
    let tier = catalogue.tier(&request.ver_str).ok_or(QuoteError::UnknownTier)?;
    if !tier.is_sold {
        return Err(QuoteError::TierNotSold);
    }
    let period = catalogue.period(request.period_days).ok_or(QuoteError::UnknownPeriod)?;
    let quantity = count_ips(&request.lines)?;
    let unit_price = price_for(tier.price, period.period_days)?;
    let priced: Result<Vec<_>, MoneyError> = request
        .lines
        .iter()
        .map(|line| Ok(PricedLine { ver_str: &request.ver_str, amount: unit_price.times(line.quantity)? }))
        .collect();
    let priced = priced?;
    let Reduced { subtotal, discounts, nets, total } =
        reduce(&priced, period.discount_basis_points, catalogue.quantity_discount(quantity), terms)?;
    let line = |((line, priced), net): ((&LineRequest, &PricedLine), Money)| QuoteLine {
        country: line.country.clone(),
        city: line.city.clone(),
        quantity: line.quantity,
        amount: priced.amount,
        net,
    };
    Ok(Quote {
        ver_str: request.ver_str.clone(),
        period_days: request.period_days,
        currency: catalogue.currency,
        unit_price,
        quantity,
        lines: request.lines.iter().zip(&priced).zip(nets).map(line).collect(),
        subtotal,
        discount_total: subtotal.checked_sub(total)?,
        discounts,
        total,
    })
}

/// An order line before discounts.
pub(crate) struct PricedLine<'a> {
    pub ver_str: &'a str,
    pub amount: Money,
}

/// The lines of an order after all discounts; `nets` are in the order of the lines and add up to `total`.
pub(crate) struct Reduced {
    pub subtotal: Money,
    pub discounts: Vec<Discount>,
    pub nets: Vec<Money>,
    pub total: Money,
}

/// Applies the discounts in sequence: first those on the whole order, then the coupon on the lines of its products.
pub(crate) fn reduce(
    lines: &[PricedLine],
    period_basis_points: u32,
    quantity_basis_points: u32,
    terms: &Terms,
) -> Result<Reduced, QuoteError> {
    let subtotal = Money::sum(lines.iter().map(|line| line.amount))?;
    let mut total = subtotal;
    let mut discounts = Vec::new();
    for (kind, basis_points) in [
        (DiscountKind::Period, period_basis_points),
        (DiscountKind::Quantity, quantity_basis_points),
        (DiscountKind::Reseller, terms.reseller_basis_points),
    ] {
        if basis_points > WHOLE_BASIS_POINTS {
            return Err(if kind == DiscountKind::Reseller {
                QuoteError::ResellerDiscount
            } else {
                QuoteError::Overflow
            });
        }
        if basis_points > 0 {
            let amount = total.share(basis_points)?;
            total = total.checked_sub(amount)?;
            discounts.push(Discount { kind, basis_points, amount });
        }
    }
    let weights: Vec<_> = lines.iter().map(|line| line.amount.minor()).collect();
    let mut nets = total.allocate(&weights)?;
    if let Some(coupon) = &terms.coupon {
        coupon.check_benefit().map_err(QuoteError::Coupon)?;
        let covered: Vec<_> = (0..lines.len()).filter(|index| coupon.covers(lines[*index].ver_str)).collect();
        if covered.is_empty() {
            return Err(QuoteError::Coupon(CouponError::OtherProducts));
        }
        let cost = Money::sum(covered.iter().map(|index| nets[*index]))?;
        if cost < coupon.minimum {
            return Err(QuoteError::Coupon(CouponError::BelowMinimum { minimum: coupon.minimum }));
        }
        let amount = coupon.discount(cost)?;
        let weights: Vec<_> = covered.iter().map(|index| nets[*index].minor()).collect();
        for (index, cut) in covered.into_iter().zip(amount.allocate(&weights)?) {
            nets[index] = nets[index].checked_sub(cut)?;
        }
        total = total.checked_sub(amount)?;
        discounts.push(Discount { kind: DiscountKind::Coupon, basis_points: coupon.basis_points(), amount });
    }
    Ok(Reduced { subtotal, discounts, nets, total })
}

/// Prices a number of IPs without a place, for price calculators: the price does not depend on the place.
pub fn estimate(
    ver_str: &str,
    period_days: u32,
    quantity: u32,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Quote, QuoteError> {
    let line = LineRequest { quantity, ..LineRequest::default() };
    let request = QuoteRequest { ver_str: ver_str.to_owned(), period_days, lines: vec![line], target: None };
    quote_with_terms(&request, catalogue, terms)
}

/// The price of one IP for a period: the 30-day price, pro rata, rounded to a cent.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coupon::Benefit;

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
    fn an_estimate_is_the_quote_for_that_many_ips_in_any_city() {
        let (catalogue, reseller) = (Catalogue::default(), Terms { reseller_basis_points: 1_500, coupon: None });
        for terms in [&Terms::default(), &reseller] {
            let sums = |quote: Quote| (quote.subtotal, quote.total);
            let estimated = estimate("shared ISP proxies plan", 90, 24, &catalogue, terms).map(sums);
            let quoted = quote_with_terms(&request(90, &[20, 4]), &catalogue, terms).map(sums);
            assert_eq!(estimated, quoted);
            assert_eq!(
                estimate("shared ISP proxies plan", 30, 0, &catalogue, terms),
                Err(QuoteError::LineQuantityIsZero { line: 0 })
            );
        }
    }

    #[test]
    fn invalid_requests_have_no_quote() {
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
        assert_eq!(quote(&request(30, &[1]), &Catalogue::of_new_shop()), Err(QuoteError::TierNotSold));
    }

    #[test]
    fn unknown_places_in_a_form_are_reported() {
        let line = |country: &str, city: &str| LineRequest { country: country.into(), city: city.into(), quantity: 1 };
        let lines =
            vec![line("US", "new-york"), line("XX", "new-york"), line("DE", "new-york"), line("US", "atlantis")];
        let form = QuoteRequest { lines, ..request(30, &[]) };
        let errors = validate_order(&form, &Catalogue::default()).expect_err("errors");
        assert_eq!(
            crate::checks::rules(errors),
            [
                "Lines.1.Country:unknownCountry XX",
                "Lines.2.City:unknownCity new-york",
                "Lines.3.City:unknownCity atlantis"
            ]
        );
        let known = QuoteRequest { lines: vec![line("US", "new-york")], ..request(30, &[]) };
        assert_eq!(
            quote_form(&known, &Catalogue::default(), &Terms::default()).map_err(|_| ()),
            quote(&known, &Catalogue::default()).map_err(|_| ())
        );
    }

    #[test]
    fn three_regular_ips_for_thirty_days_cost_fifteen_dollars() {
        let quote = quote(&request(30, &[2, 1]), &Catalogue::default()).expect("a quote");
        assert_eq!((quote.unit_price.minor(), quote.total.minor(), quote.discounts.len()), (500, 1500, 0));
        assert_eq!(quote.lines.iter().map(|line| line.net.minor()).collect::<Vec<_>>(), [1000, 500]);
    }

    #[test]
    fn the_quantity_discount_applies_after_the_period_discount() {
        let quote = quote(&request(90, &[20]), &Catalogue::default()).expect("a quote");
        let amounts: Vec<_> = quote.discounts.iter().map(|discount| (discount.kind, discount.amount.minor())).collect();
        assert_eq!(quote.subtotal.minor(), 30_000);
        assert_eq!(amounts, [(DiscountKind::Period, 1_500), (DiscountKind::Quantity, 855)]);
        assert_eq!((quote.discount_total.minor(), quote.total.minor()), (2_355, 27_645));
    }

    fn coupon(benefit: Benefit, minimum_minor: i64, products: &[&str]) -> Terms {
        let coupon = Coupon {
            code: "AUTUMN".into(),
            benefit,
            minimum: Money::from_minor(minimum_minor),
            products: products.iter().map(|product| (*product).to_owned()).collect(),
            uses_per_account: None,
            total_uses: None,
            first_order_only: false,
            valid_from: None,
            valid_until: None,
        };
        Terms { reseller_basis_points: 0, coupon: Some(coupon) }
    }

    #[test]
    fn a_coupon_that_does_not_apply_is_refused() {
        let catalogue = Catalogue::default();
        let quoted = |terms: &Terms| quote_with_terms(&request(30, &[2, 1]), &catalogue, terms);
        let dedicated = coupon(Benefit::Percent(1_000), 0, &["dedicated ISP proxies plan"]);
        assert_eq!(quoted(&dedicated), Err(QuoteError::Coupon(CouponError::OtherProducts)));
        let minimum = Money::from_minor(1_501);
        assert_eq!(
            quoted(&coupon(Benefit::Percent(1_000), 1_501, &[])),
            Err(QuoteError::Coupon(CouponError::BelowMinimum { minimum }))
        );
        assert!(quoted(&coupon(Benefit::Percent(1_000), 1_500, &["shared ISP proxies plan"])).is_ok());
        let beyond = Terms { reseller_basis_points: 10_001, coupon: None };
        assert_eq!(quoted(&beyond), Err(QuoteError::ResellerDiscount));
        let double = coupon(Benefit::Percent(20_000), 0, &[]);
        assert_eq!(quoted(&double), Err(QuoteError::Coupon(CouponError::NotAPercentage)));
        assert_eq!(quoted(&coupon(Benefit::Percent(10_000), 0, &[])).map(|quote| quote.total), Ok(Money::ZERO));
    }

    #[test]
    fn reseller_and_coupon_discounts_apply_after_those_of_the_catalogue() {
        let terms = Terms { reseller_basis_points: 1_000, ..coupon(Benefit::Percent(1_500), 0, &[]) };
        let quote = quote_with_terms(&request(90, &[13, 7]), &Catalogue::default(), &terms).expect("a quote");
        let amounts: Vec<_> = quote.discounts.iter().map(|discount| (discount.kind, discount.amount.minor())).collect();
        // 300.00 less 5 % is 285.00, less 3 % is 276.45, less 10 % (27.645, rounded to 27.65) is 248.80, less 15 % is 211.48.
        assert_eq!(
            amounts,
            [
                (DiscountKind::Period, 1_500),
                (DiscountKind::Quantity, 855),
                (DiscountKind::Reseller, 2_765),
                (DiscountKind::Coupon, 3_732),
            ]
        );
        assert_eq!((quote.discount_total.minor(), quote.total.minor()), (8_852, 21_148));
        assert_eq!(Money::sum(quote.lines.iter().map(|line| line.net)), Ok(quote.total));
    }

    #[test]
    fn an_amount_coupon_can_make_an_order_free_but_not_negative() {
        let terms = coupon(Benefit::Amount(Money::from_minor(100_000)), 0, &[]);
        let quote = quote_with_terms(&request(30, &[2, 1]), &Catalogue::default(), &terms).expect("a quote");
        assert_eq!((quote.discount_total.minor(), quote.total.minor()), (1_500, 0));
        assert!(quote.lines.iter().all(|line| line.net.is_zero()));
    }
}
