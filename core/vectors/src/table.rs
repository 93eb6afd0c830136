//! The test vectors in `core/vectors/*.json`, for this and any other implementation of the rules.
//!
//! A file has `About` and `Rules`; each rule maps to its cases, which have a `Name`, an `Input` (the arguments by name) and one of
//! `Output`, `Fields` (broken rules by field) and `Refused` (the name of the refusal). Objects in the actual output may have more fields
//! than the expected `Output`; everything else must be equal.
use chrono::NaiveDateTime;
use chrono_tz::Tz;
use postern_core::calls::{self, Access};
use postern_core::code::{Outcome, codes, react};
use postern_core::coupon::{Coupon, CouponUses, coupon_error_fields};
use postern_core::field_errors::{FieldErrors, both};
use postern_core::language::Language;
use postern_core::money::{self, Currency, Money, MoneyError};
use postern_core::node::{self, NodeEvent, NodeState};
use postern_core::order::{
    self, GatewayReport, NotAllowed, OrderEvent, OrderKind, OrderState, PaymentEvent, PaymentState,
};
use postern_core::params::ScrubError;
use postern_core::permission::{self, Level};
use postern_core::price_forms::{self, Prices};
use postern_core::proxy_user::{self, LimitCycle, ProxyUserEvent, ProxyUserState};
use postern_core::quote::{QuoteRequest, Terms, quote_error_fields, quote_with_terms};
use postern_core::redirect::safe_redirect;
use postern_core::referral::{self, CommissionEvent, CommissionState};
use postern_core::refund::{self, RefundRequest};
use postern_core::renewal::{self, RenewalRequest};
use postern_core::switch::{self, SwitchRequest};
use postern_core::tier::{Catalogue, NodeKind, owned_products};
use postern_core::time::{RangeEnd, from_wire, localize_response, range_end_to_utc, time_zone, to_wire};
use postern_core::traffic::TrafficCatalogue;
use postern_core::{
    api_key, auto_top_up, endpoint, network, node_edit, node_forms, operator_forms, params, profile, proxy_user_form,
    reseller, sign_in, support, top_up, unpaid, wallet_forms, webhook,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
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

/// Why a rule has no output.
enum Refusal {
    Fields(FieldErrors),
    Named(String),
    /// The test vector itself is invalid.
    Input(String),
}

impl From<FieldErrors> for Refusal {
    fn from(fields: FieldErrors) -> Refusal {
        Refusal::Fields(fields)
    }
}

impl From<MoneyError> for Refusal {
    fn from(error: MoneyError) -> Refusal {
        Refusal::Named(format!("{error:?}"))
    }
}

impl From<ScrubError> for Refusal {
    fn from(error: ScrubError) -> Refusal {
        Refusal::Named(match error {
            ScrubError::NotJson => "NotJson".into(),
            ScrubError::NotATime { at } => format!("NotATime {at}"),
            ScrubError::Reversed => "EndsBeforeItBegins".into(),
        })
    }
}

impl<State> From<NotAllowed<State>> for Refusal {
    fn from(_: NotAllowed<State>) -> Refusal {
        Refusal::Named("StateForbids".into())
    }
}

/// The arguments of a case.
struct Input<'a>(&'a Value);

impl Input<'_> {
    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, Refusal> {
        let value = self.0.get(name).cloned().unwrap_or(Value::Null);
        serde_json::from_value(value).map_err(|error| Refusal::Input(format!("{name}: {error}")))
    }

    /// The whole input as a single form.
    fn whole<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        serde_json::from_value(self.0.clone()).map_err(|error| Refusal::Input(error.to_string()))
    }

    fn text(&self, name: &str) -> Result<String, Refusal> {
        self.read(name)
    }

    fn money(&self, name: &str) -> Result<Money, Refusal> {
        self.read(name)
    }

    fn time(&self, name: &str) -> Result<NaiveDateTime, Refusal> {
        from_wire(&self.text(name)?).ok_or_else(|| Refusal::Input(format!("{name}: not a time")))
    }

    fn zone(&self) -> Result<Tz, Refusal> {
        time_zone(&self.text("TimeZone")?).ok_or_else(|| Refusal::Named("UnknownTimeZone".into()))
    }

    /// The given catalogue, or the default one.
    fn catalogue(&self) -> Result<Catalogue, Refusal> {
        Ok(self.read::<Option<Catalogue>>("Catalogue")?.unwrap_or_default())
    }

    fn terms(&self) -> Result<Terms, Refusal> {
        Ok(self.read::<Option<Terms>>("Terms")?.unwrap_or_default())
    }
}

fn to_value(answer: impl Serialize) -> Value {
    // Outputs of rules have only string keys and finite numbers, so this cannot fail.
    serde_json::to_value(answer).unwrap_or(Value::Null)
}

fn texts(amounts: &[Money]) -> Value {
    amounts.iter().map(|amount| Value::String(amount.to_string())).collect()
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
            let report = GatewayReport {
                succeeded: input.read("Succeeded")?,
                amount: input.money("ReportedAmount")?,
                currency: input.text("ReportedCurrency")?,
            };
            let (payment, order_state) = (input.read("PaymentState")?, input.read("OrderState")?);
            let (amount, currency) = (input.money("Amount")?, input.text("Currency")?);
            to_value(order::evaluate_report(&report, payment, order_state, amount, &currency))
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
        "sidebar" => to_value(permission::sidebar()),
        "canOpen" => {
            let level = input.read::<Option<u8>>("Level")?.and_then(Level::from_number);
            to_value(permission::can_open(&input.text("Path")?, level))
        }
        "canCall" => {
            let Some(call) = calls::find(&input.text("Call")?) else {
                return Err(Refusal::Named("UnknownCall".into()));
            };
            to_value(match input.read::<Option<u8>>("Level")? {
                None => call.access == Access::Public,
                Some(number) => {
                    let level = Level::from_number(number).ok_or_else(|| Refusal::Named("UnknownLevel".into()))?;
                    call.is_open_to(level, input.read("Suspended")?)
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

/// Valid forms return the values as stored.
fn run_form(form: &str, input: &Input) -> Result<Value, Refusal> {
    let answer = match form {
        "validateSignUp" => to_value(sign_in::validate_sign_up(&input.whole()?)?.as_str()),
        "validateLogin" => to_value(sign_in::validate_login(&input.whole()?)?.as_str()),
        "validateTopUp" => {
            let (min, max) = (input.money("Min")?, input.money("Max")?);
            to_value(top_up::validate_top_up(&input.text("Amount")?, min, max)?)
        }
        "validateAccountDetails" => to_value(profile::validate_account_details(&input.whole()?)?),
        "validatePasswordChange" => {
            profile::validate_password_change(&input.read("Form")?, &input.text("Email")?)?;
            Value::Bool(true)
        }
        "validatePasswordScore" => {
            profile::validate_password_score(&input.text("Field")?, input.read("Score")?)?;
            Value::Bool(true)
        }
        "validateNodeAccount" => to_value(node_forms::validate_node_account(&input.whole()?)?),
        "validatePlanGroup" => to_value(node_forms::validate_plan_group(&input.whole()?)?),
        "planGroupKey" => to_value(node_forms::plan_group_key(&input.text("Name")?)),
        "validateNodeNote" => to_value(node_forms::validate_node_note(&input.text("Note")?)?),
        "validateWhitelistLabel" => to_value(network::validate_whitelist_label(&input.text("Label")?)?),
        "validateSwitchReason" => to_value(node_forms::validate_switch_reason(&input.text("Reason")?)?),
        "validateWebhook" => to_value(webhook::validate_webhook(&input.whole()?, webhook::Reach::Internet)?),
        "validateApiKey" => {
            let kept = api_key::validate_api_key(
                &input.read("Form")?,
                Level::from_number(input.read("Level")?).unwrap_or(Level::Customer),
                input.time("Now")?,
            )?;
            json!({
                "Name": kept.name,
                "Scopes": kept.scopes,
                "Addresses": kept.addresses,
                "ExpiresAt": kept.expires_at.map(to_wire),
            })
        }
        "validateProxyUser" => {
            let kept = proxy_user_form::validate_proxy_user(&input.read("Form")?, input.time("Now")?)?;
            json!({
                "Name": kept.name,
                "Password": kept.password,
                "Note": kept.note,
                "LimitBytes": kept.limit_bytes,
                "LimitCycle": kept.limit_cycle,
                "ExpiresAt": kept.expires_at.map(to_wire),
                "Countries": kept.countries,
            })
        }
        "validateAutoTopUp" => {
            let kept =
                wallet_forms::validate_auto_top_up(&input.read("Form")?, input.money("Min")?, input.money("Max")?)?;
            let amounts = |kept: auto_top_up::AutoTopUp| {
                let auto_top_up::AutoTopUp { threshold, amount, monthly_limit } = kept;
                json!({ "Threshold": threshold, "Amount": amount, "MonthlyLimit": monthly_limit })
            };
            to_value(kept.map(amounts))
        }
        "validateLowBalanceAlert" => to_value(wallet_forms::validate_low_balance_alert(&input.text("Threshold")?)?),
        "validateCouponCode" => to_value(wallet_forms::validate_coupon_code(&input.text("Coupon")?)?),
        "validateInviteCode" => to_value(wallet_forms::validate_invite_code(&input.text("InviteCode")?)?),
        "validateCoupon" => to_value(operator_forms::validate_coupon(&input.whole()?, &input.catalogue()?)?),
        "validatePriceChange" => {
            let prices = Prices { catalogue: Catalogue::default(), traffic: TrafficCatalogue::default() };
            let when = price_forms::validate_price_time(&input.text("ValidFrom")?, input.time("Now")?);
            both(price_forms::validate_price(&input.read("Form")?, &prices), when)?;
            Value::Null
        }
        "validateNodeEdit" => {
            let edit = node_edit::validate_node_edit(&input.whole()?)?;
            json!({ "City": edit.place.map(|place| place.1), "Asn": edit.asn, "Socks5Port": edit.socks5_port.flatten() })
        }
        "validateLimit" => to_value(unpaid::validate_limit(&input.whole()?)?),
        "validateHoldStep" => {
            let (from, ips) = unpaid::validate_hold_step(&input.whole()?)?;
            json!({ "From": from, "Ips": ips })
        }
        "validateReceived" => to_value(operator_forms::validate_received(&input.text("Amount")?)?),
        "validateCredit" => {
            let (amount, reason) = operator_forms::validate_credit(&input.whole()?)?;
            json!({ "Amount": amount, "Reason": reason })
        }
        "validateRefund" => {
            let (paid, refunded) = (input.money("Paid")?, input.money("Refunded")?);
            let (amount, reason) = operator_forms::validate_refund(&input.read("Form")?, paid, refunded)?;
            json!({ "Amount": amount, "Reason": reason })
        }
        "validateAccountTerms" => {
            let terms = operator_forms::validate_account_terms(&input.whole()?)?;
            json!({ "Level": terms.level.number(), "ResellerBasisPoints": terms.reseller_basis_points })
        }
        "validateReason" => to_value(operator_forms::validate_reason(&input.text("Reason")?)?),
        "validateAccountNote" => to_value(operator_forms::validate_account_note(&input.text("Note")?)?),
        "validateMessage" => to_value(support::validate_message(&input.text("Text")?)?),
        "autoTopUpDue" => {
            let settings = auto_top_up::AutoTopUp {
                threshold: input.money("Threshold")?,
                amount: input.money("Amount")?,
                monthly_limit: input.money("MonthlyLimit")?,
            };
            to_value(auto_top_up::auto_top_up_due(&settings, input.money("Balance")?, input.money("ChargedThisMonth")?))
        }
        other => return Err(Refusal::Input(format!("no rule is called {other}"))),
    };
    Ok(answer)
}
