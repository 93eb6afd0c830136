//! The texts of mails with made-up values, so that the seller sees what customers get.
use crate::error::AppError;
use crate::letters::compose::compose;
use crate::letters::message::alone;
use crate::mail_queue::types::MailPreview;
use crate::mails::QueuedMail;
use crate::state::App;
use postern_core::event::EventKind;
use postern_core::language::Language;
use postern_core::mail::MailTemplate;
use serde_json::{Value, json};

pub fn preview(app: &App, template: MailTemplate, language: Language) -> Result<MailPreview, AppError> {
    let mail = QueuedMail {
        id: 0,
        recipient: "customer@example.com".to_owned(),
        language,
        template,
        parameters: samples(&app.config.public_url).to_string(),
        parameters_sealed: None,
        attempts: 0,
        // Nobody can unsubscribe by a preview.
        user_id: None,
        event_kind: None::<EventKind>,
    };
    let letter = compose(app, &mail).map_err(AppError::Internal)?;
    Ok(MailPreview { html: alone(&letter.html, app.logo.as_deref()), subject: letter.subject, text: letter.text })
}

/// A value for each placeholder of the mails. A test finds the missing ones.
fn samples(public_url: &str) -> Value {
    json!({
        "AccountId": 1017,
        "Address": "203.0.113.7",
        "Amount": "50.00 USD",
        "At": "2026-05-04 09:30:00",
        "Balance": "12.40 USD",
        "Card": "Visa •••• 4242",
        "ChangeKey": "security:kinds.password_changed",
        "Changes": { "en": "3 static proxies: new passwords", "zh": "3 个静态代理：新密码" },
        "Charged": "50.00 USD",
        "ClaimUrl": "https://pay.example.com/pull-payments/9Xq2",
        "Count": 2,
        "CreditNote": "CN-2026-000017",
        "Customer": "customer@example.com",
        "Days": 30,
        "Device": "Firefox, Windows",
        "DueAt": "2026-05-14 09:30:00 UTC",
        "Email": "customer@example.com",
        "EndedKeys": [{ "Key": "security:ended.session", "Names": "Firefox, Windows" }],
        "EndsAt": "2026-06-03 09:30:00",
        "Gigabytes": "25",
        "GraceHours": 24,
        "Ips": "203.0.113.41\n203.0.113.42",
        "LeftGigabytes": "3.2",
        "Limit": "200.00 USD",
        "Link": format!("{public_url}/login?token=example"),
        "Minutes": 5,
        "NewEmail": "new@example.com",
        "OrderId": "00000000-0000-4000-8000-000000000000",
        "OrderNumber": "PO-20260504-000042",
        "Owed": "37.60 USD",
        "Places": { "en": "United States, New York: 2", "zh": "美国 纽约：2" },
        "Problems": "us-1\nde-2",
        "Reason": { "en": "The IPs were slow", "zh": "IP 速度较慢" },
        "Spent": "180.00 USD",
        "Text": { "en": "Hello, how do I change the port?", "zh": "您好，怎么更换端口？" },
        "Threshold": "20.00 USD",
        "Tier": { "en": "Regular static residential", "zh": "普通静态住宅" },
        "Total": "9.60 USD",
        "Url": "https://example.com/webhook",
        "ValidityKey": "invoices:validity.never",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What every mail knows, whatever it is about.
    const COMMON: [&str; 7] =
        ["ChangeHours", "LinkHours", "LinkMinutes", "PublicUrl", "Shop", "StopHours", "WalletLink"];

    #[test]
    fn every_placeholder_of_the_mails_has_a_value() {
        let samples = samples("https://shop.example");
        let has = |name: &str| {
            samples.get(name).is_some()
                || samples.get(format!("{name}Key")).is_some()
                || samples.get(format!("{name}Keys")).is_some()
        };
        for texts in [include_str!("../../../locales/en/mail.json"), include_str!("../../../locales/zh/mail.json")] {
            let names: BTreeSet<&str> =
                texts.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(name, _)| name).collect();
            assert!(names.len() > 20, "{names:?}");
            for name in names {
                assert!(COMMON.contains(&name) || has(name), "{name}");
            }
        }
    }
}
