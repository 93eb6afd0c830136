//! Webhook forms: the endpoints that receive events, and the kinds of events that each receives.
use crate::checks::Checks;
use crate::event::EventKind;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use crate::web_address::{ADDRESS_MAX_LENGTH, WebAddress, WebAddressError};
use serde::{Deserialize, Serialize};

/// The maximum number of webhooks per account.
pub const MAX_WEBHOOKS: u32 = 10;

pub const DESCRIPTION_MAX_LENGTH: usize = 120;

/// The allowed targets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reach {
    /// https on public hosts only: for customers.
    Internet,
    /// http and private hosts too: for the operator's own network, development and tests.
    Anywhere,
}

/// The reach of a webhook's address. `test_hosts` are the hosts that a shop allows for tests, in the form in which addresses contain them.
pub fn reach_of(url: &str, test_hosts: &[String]) -> Reach {
    let host = WebAddress::parse(url.trim()).map(|address| address.host.to_string());
    match host.is_ok_and(|host| test_hosts.contains(&host)) {
        true => Reach::Anywhere,
        false => Reach::Internet,
    }
}

/// The form of a webhook: address, description and events.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct WebhookForm {
    /// The address of the endpoint: https, with a host on the public internet.
    pub url: String,
    /// The owner's description of its purpose.
    pub description: String,
    /// The kinds of events that it receives; absent for all, including those of later versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub events: Option<Vec<EventKind>>,
}

/// Validates a webhook's form. Its host name is resolved when it is saved and again for every delivery, and every resolved address must
/// pass `Network::is_public`.
pub fn validate_webhook(form: &WebhookForm, reach: Reach) -> Result<WebhookForm, FieldErrors> {
    let mut checks = Checks::default();
    let url = form.url.trim();
    if url.is_empty() {
        checks.broken("Url", Rule::Required, &[]);
    } else {
        check_url("Url", url, reach, &mut checks);
    }
    let description = checks.line("Description", &form.description, DESCRIPTION_MAX_LENGTH);
    let events = form.events.as_ref().map(|chosen| check_events(chosen, &mut checks));
    checks.finish(WebhookForm { url: url.to_owned(), description, events })
}

/// The chosen kinds of events, without duplicates.
fn check_events(chosen: &[EventKind], checks: &mut Checks) -> Vec<EventKind> {
    if chosen.is_empty() {
        checks.broken("Events", Rule::ChooseAnEvent, &[]);
    } else if !chosen.iter().all(|kind| kind.is_for_webhooks()) {
        checks.broken("Events", Rule::EventNotForWebhooks, &[]);
    }
    EventKind::ALL.iter().copied().filter(|kind| chosen.contains(kind)).collect()
}

/// Whether a webhook for these kinds of events (`None` for all) receives this one.
pub fn receives(events: Option<&[EventKind]>, kind: EventKind) -> bool {
    kind.is_for_webhooks() && events.is_none_or(|chosen| chosen.contains(&kind))
}

/// Whether a webhook of the shop receives this event of any account: as its own webhooks would, but nothing about the security of accounts.
pub fn shop_receives(events: Option<&[EventKind]>, kind: EventKind) -> bool {
    receives(events, kind) && !kind.is_security()
}

/// Whether a webhook for these kinds of events (`None` for all) receives amounts of money, as only keys with the scope for billing may.
pub fn receives_amounts(events: Option<&[EventKind]>) -> bool {
    EventKind::ALL.iter().any(|kind| kind.tells_amounts() && receives(events, *kind))
}

/// Checks an address that the server will call, entered in this field.
pub(crate) fn check_url(field: &str, url: &str, reach: Reach, checks: &mut Checks) {
    let address = match WebAddress::parse(url) {
        Ok(address) => address,
        Err(WebAddressError::TooLong) => {
            return checks.broken(field, Rule::MaxLength, &[("Max", ADDRESS_MAX_LENGTH.to_string())]);
        }
        Err(WebAddressError::Scheme) => return checks.broken(field, Rule::WebhookHttps, &[]),
        Err(WebAddressError::Malformed) => return checks.broken(field, Rule::WebhookAddress, &[]),
    };
    if !address.is_https && reach == Reach::Internet {
        checks.broken(field, Rule::WebhookHttps, &[]);
    } else if address.has_credentials {
        checks.broken(field, Rule::WebhookCredentials, &[]);
    } else if address.has_fragment {
        checks.broken(field, Rule::WebhookFragment, &[]);
    } else if reach == Reach::Internet && !address.host.is_public() {
        checks.broken(field, Rule::WebhookPrivate, &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn check(url: &str, reach: Reach) -> Result<String, Vec<String>> {
        let form = WebhookForm { url: url.into(), ..WebhookForm::default() };
        validate_webhook(&form, reach).map(|kept| kept.url).map_err(rules)
    }

    #[test]
    fn forbidden_addresses_are_rejected_with_the_reason() {
        for (url, rule) in [
            ("", "required"),
            ("hooks.example.com", "webhookHttps"),
            ("http://hooks.example.com", "webhookHttps"),
            ("ftp://hooks.example.com", "webhookHttps"),
            ("https://hooks example.com", "webhookAddress"),
            ("https://2130706433/", "webhookAddress"),
            ("https://ann@hooks.example.com", "webhookCredentials"),
            ("https://hooks.example.com@127.0.0.1/", "webhookCredentials"),
            ("https://hooks.example.com/#a", "webhookFragment"),
            ("https://localhost/", "webhookPrivate"),
            ("https://169.254.169.254/latest/meta-data", "webhookPrivate"),
            ("https://[::1]/", "webhookPrivate"),
        ] {
            assert_eq!(check(url, Reach::Internet), Err(vec![format!("Url:{rule}")]), "{url}");
        }
        let long = format!("https://example.com/{}", "a".repeat(2_000));
        assert_eq!(check(&long, Reach::Internet), Err(vec!["Url:maxLength 2000".into()]));
        let form =
            WebhookForm { url: "https://example.com".into(), description: "d".repeat(121), ..WebhookForm::default() };
        assert_eq!(rules(validate_webhook(&form, Reach::Internet).expect_err("errors")), ["Description:maxLength 120"]);
    }

    #[test]
    fn a_public_https_address_is_stored_as_entered() {
        assert_eq!(
            check(" https://Hooks.example.com:8443/in?k=1 ", Reach::Internet),
            Ok("https://Hooks.example.com:8443/in?k=1".into())
        );
    }

    #[test]
    fn private_addresses_are_valid_where_allowed() {
        assert!(check("http://127.0.0.1:9000/hook", Reach::Anywhere).is_ok());
        assert_eq!(check("http://a:b@127.0.0.1/", Reach::Anywhere), Err(vec!["Url:webhookCredentials".into()]));
        assert_eq!(check("ftp://127.0.0.1/", Reach::Anywhere), Err(vec!["Url:webhookHttps".into()]));
    }

    #[test]
    fn only_hosts_named_for_tests_may_be_private() {
        let hosts = ["127.0.0.1".to_owned(), "hooks.test".to_owned(), "::1".to_owned()];
        for (url, reach) in [
            ("http://127.0.0.1:9000/hook", Reach::Anywhere),
            (" http://HOOKS.test./", Reach::Anywhere),
            ("http://[::1]:80/", Reach::Anywhere),
            ("http://127.0.0.2/", Reach::Internet),
            ("http://127.0.0.1.example.com/", Reach::Internet),
            ("http://a.hooks.test/", Reach::Internet),
            ("nonsense", Reach::Internet),
        ] {
            assert_eq!(reach_of(url, &hosts), reach, "{url}");
        }
        assert_eq!(reach_of("http://127.0.0.1/", &[]), Reach::Internet);
    }

    #[test]
    fn at_least_one_event_is_chosen_and_only_those_for_webhooks() {
        let check = |events: &[EventKind]| {
            let form = WebhookForm {
                url: "https://example.com".into(),
                events: Some(events.to_vec()),
                ..WebhookForm::default()
            };
            validate_webhook(&form, Reach::Internet).map(|kept| kept.events.unwrap_or_default()).map_err(rules)
        };
        assert_eq!(check(&[]), Err(vec!["Events:chooseAnEvent".into()]));
        assert_eq!(check(&[EventKind::WebhookTest]), Err(vec!["Events:eventNotForWebhooks".into()]));
        let twice = [EventKind::WalletLow, EventKind::OrderPaid, EventKind::WalletLow];
        assert_eq!(check(&twice), Ok(vec![EventKind::OrderPaid, EventKind::WalletLow]));
    }

    #[test]
    fn a_webhook_of_the_shop_is_told_nothing_of_the_security_of_accounts() {
        assert!(shop_receives(None, EventKind::OrderPaid) && !shop_receives(None, EventKind::NewDevice));
        let chosen = [EventKind::OrderPaid, EventKind::SecurityChanged];
        assert!(shop_receives(Some(&chosen), EventKind::OrderPaid));
        assert!(!shop_receives(Some(&chosen), EventKind::SecurityChanged));
        assert!(!shop_receives(Some(&chosen), EventKind::WalletLow));
    }

    #[test]
    fn a_webhook_receives_the_chosen_events_and_none_about_webhooks() {
        let chosen = [EventKind::OrderPaid];
        for (events, kind, is_received) in [
            (None, EventKind::OrderPaid, true),
            (None, EventKind::WebhookDisabled, false),
            (Some(&chosen[..]), EventKind::OrderPaid, true),
            (Some(&chosen[..]), EventKind::WalletLow, false),
        ] {
            assert_eq!(receives(events, kind), is_received, "{events:?} {kind:?}");
        }
    }
}
