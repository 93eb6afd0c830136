//! The forms: each name of a validation and the rule that it calls.
use crate::input::{Input, Refusal, to_value};
use postern_core::field_errors::both;
use postern_core::permission::Level;
use postern_core::price_forms::Prices;
use postern_core::tier::Catalogue;
use postern_core::time::to_wire;
use postern_core::traffic::TrafficCatalogue;
use postern_core::{
    announcement, api_key, auto_top_up, exchange, legal, network, node_edit, node_forms, operator_forms, payment_case,
    price_forms, profile, proxy_user_form, sign_in, support, top_up, unpaid, use_case, wallet_forms, webhook,
};
use serde_json::{Value, json};

/// Valid forms return the values as stored.
pub fn run_form(form: &str, input: &Input) -> Result<Value, Refusal> {
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
        "validateAnnouncement" => {
            let kept = announcement::validate_announcement(&input.read("Form")?, input.time("Now")?)?;
            json!({
                "TextEn": kept.text_en,
                "TextZh": kept.text_zh,
                "Link": kept.link,
                "ValidFrom": to_wire(kept.valid_from),
                "ValidUntil": kept.valid_until.map(to_wire),
            })
        }
        "validateUseCase" => {
            let kept = use_case::validate_use_case(&input.whole()?)?;
            json!({ "Target": kept.target, "NameZh": kept.name_zh, "Position": kept.position })
        }
        "validateLegalText" => to_value(legal::validate_legal_text(&input.whole()?, None)?),
        "validateNodeEdit" => {
            let edit = node_edit::validate_node_edit(&input.whole()?)?;
            json!({ "City": edit.place.map(|place| place.1), "Asn": edit.asn, "Socks5Port": edit.socks5_port.flatten() })
        }
        "validateExchangeRate" => {
            to_value(exchange::validate_exchange_rate(&input.whole()?, webhook::Reach::Internet)?)
        }
        "validateCloseCase" => to_value(payment_case::validate_close_case(&input.whole()?)?),
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
            json!({
                "Level": terms.level.number(),
                "ResellerBasisPoints": terms.reseller_basis_points,
                "Role": terms.role_in_force(),
            })
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
