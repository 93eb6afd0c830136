//! The test vectors in `core/vectors/*.json`, for this and any other implementation of the rules.
//!
//! A file has `About` and `Rules`; each rule maps to its cases, which have a `Name`, an `Input` (the arguments by name) and one of
//! `Output`, `Fields` (broken rules by field) and `Refused` (the name of the refusal). Objects in the actual output may have more fields
//! than the expected `Output`; everything else must be equal.
use crate::forms::run_form;
use crate::input::{Input, Refusal, texts, to_value};
use postern_core::calls::{self, Access};
use postern_core::code::{Outcome, codes, react};
use postern_core::coupon::{Coupon, CouponUses, coupon_error_fields};
use postern_core::exchange::Rate;
use postern_core::language::Language;
use postern_core::money::{self, Currency, Money, MoneyError};
use postern_core::node::{self, NodeEvent, NodeState};
use postern_core::order::{self, GatewayReport, OrderEvent, OrderKind, OrderState, PaymentEvent, PaymentState};
use postern_core::permission::Level;
use postern_core::proxy_user::{self, LimitCycle, ProxyUserEvent, ProxyUserState};
use postern_core::quote::{QuoteRequest, quote_error_fields, quote_with_terms};
use postern_core::redirect::safe_redirect;
use postern_core::referral::{self, CommissionEvent, CommissionState};
use postern_core::refund::{self, RefundRequest};
use postern_core::renewal::{self, RenewalRequest};
use postern_core::staff::StaffRole;
use postern_core::switch::{self, SwitchRequest};
use postern_core::tier::{Catalogue, NodeKind, owned_products};
use postern_core::time::{RangeEnd, from_wire, localize_response, range_end_to_utc, to_wire};
use postern_core::{endpoint, params, reseller, screens};
use serde_json::{Value, json};

/// The files, by name.
pub const FILES: [(&str, &str); 18] = [
    ("catalogue", include_str!("../catalogue.json")),
    ("codes", include_str!("../codes.json")),
    ("coupons", include_str!("../coupons.json")),
    ("endpoints", include_str!("../endpoints.json")),
    ("forms", include_str!("../forms.json")),
    ("language", include_str!("../language.json")),
    ("money", include_str!("../money.json")),
    ("orders", include_str!("../orders.json")),
    ("params", include_str!("../params.json")),
    ("permissions", include_str!("../permissions.json")),
    ("proxy_users", include_str!("../proxy_users.json")),
    ("quotes", include_str!("../quotes.json")),
    ("referrals", include_str!("../referrals.json")),
    ("refunds", include_str!("../refunds.json")),
    ("renewals", include_str!("../renewals.json")),
    ("states", include_str!("../states.json")),
    ("switches", include_str!("../switches.json")),
    ("times", include_str!("../times.json")),
];

/// The result of a file: the number of cases, and the failures.
pub struct Checked {
    pub cases: usize,
    pub wrong: Vec<String>,
}

/// Runs every case of a file.
pub fn check(text: &str) -> Checked {
    let mut checked = Checked { cases: 0, wrong: Vec::new() };
    let file: Value = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            checked.wrong.push(format!("not JSON: {error}"));
            return checked;
        }
    };
    let rules = file["Rules"].as_object().cloned().unwrap_or_default();
    for (rule, cases) in &rules {
        for case in cases.as_array().map(Vec::as_slice).unwrap_or_default() {
            checked.cases += 1;
            let expected = ["Output", "Fields", "Refused"].map(|kind| case.get(kind).map(|value| (kind, value)));
            let given = run(rule, &case["Input"]);
            let answer = match &given {
                Ok(value) => ("Output", value.clone()),
                Err(Refusal::Fields(fields)) => ("Fields", to_value(fields)),
                Err(Refusal::Named(name)) => ("Refused", Value::String(name.clone())),
                Err(Refusal::Input(what)) => ("Input", Value::String(what.clone())),
            };
            let holds = matches!(
                expected.into_iter().flatten().collect::<Vec<_>>().as_slice(),
                [(kind, value)] if *kind == answer.0 && covers(value, &answer.1, *kind == "Output")
            );
            if !holds {
                checked.wrong.push(format!("{rule}, {}: {} {}", case["Name"], answer.0, answer.1));
            }
        }
    }
    checked
}

/// Whether the actual value matches the expected one. In outputs, objects may have additional fields.
fn covers(expected: &Value, answer: &Value, may_have_more: bool) -> bool {
    match (expected, answer) {
        (Value::Object(expected), Value::Object(answer)) => {
            (may_have_more || expected.len() == answer.len())
                && expected
                    .iter()
                    .all(|(name, value)| answer.get(name).is_some_and(|answer| covers(value, answer, may_have_more)))
        }
        (Value::Array(expected), Value::Array(answer)) => {
            expected.len() == answer.len()
                && expected.iter().zip(answer).all(|(expected, answer)| covers(expected, answer, may_have_more))
        }
        _ => expected == answer,
    }
}

/// Parses JSON that a rule returned as text.
fn json_text(text: String) -> Result<Value, Refusal> {
    serde_json::from_str(&text).map_err(|error| Refusal::Input(error.to_string()))
}

fn run(rule: &str, input: &Value) -> Result<Value, Refusal> {
    let input = Input(input);
    let answer = match rule {
        "parseMoney" => to_value(Money::parse(&input.text("Text")?)?),
        "displayMoney" => to_value(input.money("Amount")?.display(input.read::<Currency>("Currency")?)),
        "resellerPrice" => to_value(reseller::reseller_price(input.money("ListPrice")?, input.read("BasisPoints")?)?),
        "displayPercent" => to_value(money::display_percent(input.read("BasisPoints")?)),
        "allocate" => texts(&input.money("Amount")?.allocate(&input.read::<Vec<i64>>("Weights")?)?),
        "split" => texts(&input.money("Amount")?.split(input.read("Parts")?)?),
        "share" => to_value(input.money("Amount")?.share(input.read("BasisPoints")?)?),
        "chargedAmount" => {
            let rate = Rate::parse(&input.text("Rate")?).ok_or(MoneyError::Malformed)?;
            to_value(rate.charge(input.money("Amount")?)?)
        }
        "shortfall" => to_value(money::shortfall(input.money("Balance")?, input.money("Needed")?)?),
        "topUpFor" => {
            to_value(money::top_up_for(input.money("Balance")?, input.money("Needed")?, input.money("Least")?)?)
        }
        "defaultCatalogue" => to_value(Catalogue::default()),
        "quantityDiscount" => to_value(input.catalogue()?.quantity_discount(input.read("Quantity")?)),
        "nextQuantityStep" => to_value(input.catalogue()?.next_step(input.read("Quantity")?)),
        "ownedProducts" => {
            let owned = owned_products(&input.read::<Vec<NodeKind>>("Rows")?, &input.catalogue()?);
            to_value(owned.into_iter().map(|tier| tier.ver_str).collect::<Vec<_>>())
        }
        "quote" => {
            let quote = quote_with_terms(&input.read::<QuoteRequest>("Request")?, &input.catalogue()?, &input.terms()?);
            to_value(quote.map_err(quote_error_fields)?)
        }
        "quoteRenewal" => {
            let request = input.read::<RenewalRequest>("Request")?;
            to_value(
                renewal::quote_renewal(&request, &input.catalogue()?, &input.terms()?).map_err(quote_error_fields)?,
            )
        }
        "nextRenewalAttempt" => {
            to_value(renewal::next_attempt(input.time("ExpiresAt")?, input.time("After")?).map(to_wire))
        }
        "renewedExpiry" => {
            to_value(node::renewed_expiry(input.time("ExpiresAt")?, input.read("PeriodDays")?).map(to_wire))
        }
        "checkCoupon" => {
            let coupon: Coupon = input.read("Coupon")?;
            let uses = CouponUses {
                by_account: input.read("Uses")?,
                in_total: input.read::<Option<u32>>("TotalUses")?.unwrap_or_default(),
                has_paid_order: input.read::<Option<bool>>("HasPaidOrder")?.unwrap_or_default(),
            };
            coupon.check(input.time("Now")?, uses).map_err(coupon_error_fields)?;
            Value::Bool(true)
        }
        "refundUnused" => {
            let note = refund::refund_unused(&input.whole::<RefundRequest>()?);
            to_value(note.map_err(|error| Refusal::Named(error.code().name().into()))?)
        }
        "refundAmount" => {
            let left = refund::refund_amount(input.money("Paid")?, input.money("Refunded")?, input.money("Amount")?);
            to_value(left.map_err(|error| Refusal::Named(error.code().name().into()))?)
        }
        "undelivered" => {
            let shares = refund::undelivered(input.money("Net")?, input.read("Ordered")?, input.read("Delivered")?);
            let (paid, back) = shares.map_err(|error| Refusal::Named(error.code().name().into()))?;
            json!({ "Paid": texts(&paid), "Back": back })
        }
        "unusedSeconds" => {
            to_value(refund::unused_seconds(input.time("StartsAt")?, input.time("EndsAt")?, input.time("Now")?))
        }
        "switchQuota" => {
            let times = input.read::<Vec<String>>("FreeSwitches")?;
            let times: Vec<_> = times.iter().filter_map(|time| from_wire(time)).collect();
            to_value(switch::switch_quota(input.read("NodeCount")?, &times, input.time("Now")?))
        }
        "switchPrice" => {
            let price = switch::price_switch(&input.whole::<SwitchRequest>()?);
            to_value(price.map_err(|error| Refusal::Named(error.code().name().into()))?)
        }
        "commission" => {
            let kind = input.read::<OrderKind>("Kind")?;
            let (paid, refunded) = (input.money("Paid")?, input.money("Refunded")?);
            to_value(referral::commission(kind, paid, refunded, input.read("RateBasisPoints")?)?)
        }
        "commissionAvailableAt" => to_value(referral::available_at(input.time("PaidAt")?).map(to_wire)),
        "takeBackCommission" => {
            let state = input.read::<CommissionState>("State")?;
            let (before, after) = (input.money("Before")?, input.money("After")?);
            to_value(referral::commission_clawback(state, before, after, input.money("WalletBalance")?)?)
        }
        "movableCommission" => to_value(referral::movable_amount(input.money("Available")?, input.money("Owed")?)?),
        "nextOrderState" => {
            to_value(order::next_order_state(input.read::<OrderState>("State")?, input.read::<OrderEvent>("Event")?)?)
        }
        "nextPaymentState" => to_value(order::next_payment_state(
            input.read::<PaymentState>("State")?,
            input.read::<PaymentEvent>("Event")?,
        )?),
        "nextNodeState" => {
            to_value(node::next_node_state(input.read::<NodeState>("State")?, input.read::<NodeEvent>("Event")?)?)
        }
        "nextProxyUserState" => to_value(proxy_user::next_proxy_user_state(
            input.read::<ProxyUserState>("State")?,
            input.read::<ProxyUserEvent>("Event")?,
        )?),
        "nextCommissionState" => to_value(referral::next_commission_state(
            input.read::<CommissionState>("State")?,
            input.read::<CommissionEvent>("Event")?,
        )?),
        "orderActions" => {
            to_value(order::order_actions(input.read::<OrderState>("State")?, input.read("SecondsLeft")?))
        }
        "acceptsPayment" => to_value(order::accepts(input.read("Kind")?, input.read("PaymentMethod")?)),
        "queryDelaySeconds" => to_value(order::query_delay_seconds(input.read("AgeSeconds")?)),
        "judgeReport" => {
            let (amount, reported) = (input.money("ReportedAmount")?, input.text("ReportedCurrency")?);
            let report = GatewayReport::of(input.read("Succeeded")?, amount, reported);
            let (payment, order_state) = (input.read("PaymentState")?, input.read("OrderState")?);
            let (arrived, currency) = (input.money("Arrived")?, input.text("Currency")?);
            to_value(order::evaluate_report(&report, payment, order_state, arrived, &currency))
        }
        "codes" => to_value(codes()),
        "judgeAnswer" => to_value(react(&input.whole::<Outcome>()?)),
        "scrubParams" => {
            let parameters: Value = input.read("Parameters")?;
            json_text(params::scrub(&parameters.to_string(), input.zone()?)?)?
        }
        "localizeResponse" => {
            json_text(localize_response(input.read::<Value>("Response")?.to_string(), input.zone()?))?
        }
        "rangeEndToUtc" => {
            let end = if input.read("IsStart")? { RangeEnd::From } else { RangeEnd::To };
            to_value(range_end_to_utc(&input.text("Text")?, input.zone()?, end))
        }
        "readEndpoints" => to_value(endpoint::read_endpoints(&input.text("Text")?)),
        "decideLanguage" => {
            let (parameter, kept) = (input.read::<Option<String>>("Parameter")?, input.read::<Option<String>>("Kept")?);
            let language = Language::decide(parameter.as_deref(), kept.as_deref());
            json!({
                "Language": language,
                "AcceptLanguage": language.accept_language(),
                "DateLocale": language.date_locale(),
            })
        }
        "languageOfHeader" => to_value(Language::from_header(&input.text("AcceptLanguage")?)),
        "safeRedirect" => to_value(safe_redirect(&input.text("Path")?)),
        "sidebar" => to_value(screens::sidebar()),
        "canOpen" => {
            let level = input.read::<Option<u8>>("Level")?.and_then(Level::from_number);
            let role = input.read::<Option<StaffRole>>("Role")?.unwrap_or(StaffRole::Operator);
            to_value(screens::can_open(&input.text("Path")?, level, role))
        }
        "canCall" => {
            let Some(call) = calls::find(&input.text("Call")?) else {
                return Err(Refusal::Named("UnknownCall".into()));
            };
            to_value(match input.read::<Option<u8>>("Level")? {
                None => call.access == Access::Public,
                Some(number) => {
                    let level = Level::from_number(number).ok_or_else(|| Refusal::Named("UnknownLevel".into()))?;
                    let role = input.read::<Option<StaffRole>>("Role")?.unwrap_or(StaffRole::Operator);
                    call.is_open_to(level, role, input.read("Suspended")?)
                }
            })
        }
        "parseGigabytes" => {
            let bytes = proxy_user::parse_gigabytes(&input.text("Text")?);
            to_value(bytes.ok_or_else(|| Refusal::Named("Malformed".into()))?)
        }
        "formatGigabytes" => to_value(proxy_user::format_gigabytes(input.read("Bytes")?)),
        "cycleOf" => {
            let (cycle, zone) = (input.read::<LimitCycle>("LimitCycle")?, input.zone()?);
            let cycle = proxy_user::cycle_of(cycle, zone, input.time("CreatedAt")?, input.time("Now")?);
            to_value([Some(to_wire(cycle.starts_at)), cycle.ends_at.map(to_wire)])
        }
        form => return run_form(form, &input),
    };
    Ok(answer)
}
