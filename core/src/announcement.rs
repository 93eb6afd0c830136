//! Announcements: what the seller tells all customers, on every screen, from one time to another.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::redirect::safe_redirect;
use crate::rule::Rule;
use crate::time::from_wire;
use crate::web_address::WebAddress;
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, Timelike};
use serde::{Deserialize, Serialize};

/// The maximum length of an announcement, in characters: it is one banner, not a page.
pub const ANNOUNCEMENT_MAX_LENGTH: usize = 300;

/// The maximum number of announcements, those that are over included.
pub const MAX_ANNOUNCEMENTS: u32 = 200;

/// How many are shown at once: the newest.
pub const SHOWN_ANNOUNCEMENTS: u32 = 3;

const LINK_MAX_LENGTH: usize = 500;

wire_enum! {
    /// How an announcement looks.
    AnnouncementTone {
        /// News and offers.
        Info = "info",
        /// Maintenance and faults.
        Warning = "warning",
    }
}

wire_enum! {
    /// Whether customers see an announcement at a time.
    AnnouncementState { Coming = "coming", Shown = "shown", Over = "over" }
}

impl AnnouncementState {
    /// The state at `now` of an announcement that is shown from one time until, if it ends, before another.
    pub fn at(now: NaiveDateTime, from: NaiveDateTime, until: Option<NaiveDateTime>) -> AnnouncementState {
        match until {
            Some(until) if until <= now => AnnouncementState::Over,
            _ if now < from => AnnouncementState::Coming,
            _ => AnnouncementState::Shown,
        }
    }
}

/// An announcement, as entered by an operator.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AnnouncementForm {
    pub tone: AnnouncementTone,
    /// The text in English; empty if readers of English are not to see it.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub text_en: String,
    /// The text in Chinese; empty if readers of Chinese are not to see it.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub text_zh: String,
    /// Where to read more: a path of this site or an `https` address; may be empty.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub link: String,
    /// From when it is shown, in UTC; empty for now.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub valid_from: String,
    /// Until when it is shown, in UTC; empty for no end.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub valid_until: String,
}

/// A validated announcement.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Announcement {
    pub tone: AnnouncementTone,
    pub text_en: String,
    pub text_zh: String,
    pub link: String,
    pub valid_from: NaiveDateTime,
    pub valid_until: Option<NaiveDateTime>,
}

/// Validates an announcement: a text in at least one language, and an end that is after its start and in the future.
pub fn validate_announcement(form: &AnnouncementForm, now: NaiveDateTime) -> Result<Announcement, FieldErrors> {
    let mut checks = Checks::default();
    let text_en = checks.line("TextEn", &form.text_en, ANNOUNCEMENT_MAX_LENGTH);
    let text_zh = checks.line("TextZh", &form.text_zh, ANNOUNCEMENT_MAX_LENGTH);
    if text_en.is_empty() && text_zh.is_empty() {
        checks.broken("TextEn", Rule::TextInOneLanguage, &[]);
    }
    let link = checks.line("Link", &form.link, LINK_MAX_LENGTH);
    if !link.is_empty() && !is_link(&link) {
        checks.broken("Link", Rule::AnnouncementLink, &[]);
    }
    // To the second, as on the wire.
    let now = now.with_nanosecond(0).unwrap_or(now);
    let valid_from = time("ValidFrom", &form.valid_from, &mut checks).unwrap_or(now);
    let valid_until = time("ValidUntil", &form.valid_until, &mut checks);
    if let Some(until) = valid_until {
        if until <= valid_from {
            checks.broken("ValidUntil", Rule::EndsBeforeItBegins, &[]);
        } else if until <= now {
            checks.broken("ValidUntil", Rule::TimeInFuture, &[]);
        }
    }
    checks.finish(Announcement { tone: form.tone, text_en, text_zh, link, valid_from, valid_until })
}

fn is_link(link: &str) -> bool {
    safe_redirect(link).is_some()
        || (link.starts_with("https://") && WebAddress::parse(link).is_ok_and(|address| !address.has_credentials))
}

fn time(field: &str, text: &str, checks: &mut Checks) -> Option<NaiveDateTime> {
    let text = text.trim();
    let time = from_wire(text);
    if !text.is_empty() && time.is_none() {
        checks.broken(field, Rule::Time, &[]);
    }
    time
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn at(text: &str) -> NaiveDateTime {
        from_wire(text).expect("a time")
    }

    fn now() -> NaiveDateTime {
        at("2026-11-28 12:00:00")
    }

    fn form(text_en: &str) -> AnnouncementForm {
        let empty = String::new;
        AnnouncementForm {
            tone: AnnouncementTone::Info,
            text_en: text_en.to_owned(),
            text_zh: empty(),
            link: empty(),
            valid_from: empty(),
            valid_until: empty(),
        }
    }

    #[test]
    fn an_announcement_is_shown_from_its_start_until_its_end() {
        let state = |from: &str, until: Option<&str>| AnnouncementState::at(now(), at(from), until.map(at));
        assert_eq!(state("2026-11-28 12:00:00", None), AnnouncementState::Shown);
        assert_eq!(state("2026-11-28 12:00:01", None), AnnouncementState::Coming);
        assert_eq!(state("2026-11-28 11:00:00", Some("2026-11-28 12:00:01")), AnnouncementState::Shown);
        assert_eq!(state("2026-11-28 11:00:00", Some("2026-11-28 12:00:00")), AnnouncementState::Over);
    }

    #[test]
    fn errors_of_an_announcement_are_reported_at_their_field() {
        let with = |change: fn(&mut AnnouncementForm)| {
            let mut form = form("Sale");
            change(&mut form);
            rules(validate_announcement(&form, now()).expect_err("errors"))
        };
        assert_eq!(with(|form| form.text_en = "  ".into()), ["TextEn:textInOneLanguage"]);
        assert_eq!(with(|form| form.text_zh = "长".repeat(301)), ["TextZh:maxLength 300"]);
        for link in
            ["javascript:alert(1)", "//evil.example", "http://shop.example", "https://me:pw@shop.example", "news"]
        {
            let form = AnnouncementForm { link: link.into(), ..form("Sale") };
            assert_eq!(rules(validate_announcement(&form, now()).expect_err("errors")), ["Link:announcementLink"]);
        }
        assert_eq!(with(|form| form.valid_from = "soon".into()), ["ValidFrom:time"]);
        assert_eq!(with(|form| form.valid_until = "2026-11-28 12:00:00".into()), ["ValidUntil:endsBeforeItBegins"]);
        assert_eq!(
            with(|form| {
                form.valid_from = "2026-11-27 12:00:00".into();
                form.valid_until = "2026-11-28 11:00:00".into();
            }),
            ["ValidUntil:timeInFuture"]
        );
    }

    #[test]
    fn an_announcement_has_one_language_or_both_and_may_lead_on() {
        let form = AnnouncementForm { text_zh: " 维护 ".into(), link: "/status".into(), ..form("") };
        let kept = validate_announcement(&form, now()).expect("an announcement");
        assert_eq!((kept.text_zh.as_str(), kept.valid_from, kept.valid_until), ("维护", now(), None));
        let form = AnnouncementForm { link: "https://shop.example/news".into(), ..form };
        assert!(validate_announcement(&form, now()).is_ok());
    }
}
