//! The seller's legal texts: published in versions, which customers accept.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::language::Language;
use crate::rule::Rule;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

/// The maximum length of a text in one language, in characters.
pub const LEGAL_TEXT_MAX_LENGTH: usize = 40_000;

/// The maximum number of versions of one kind.
pub const MAX_VERSIONS: i32 = 100;

wire_enum! {
    /// What a legal text is about. Each kind has its own versions, from 1 on.
    LegalKind { Terms = "terms", Privacy = "privacy" }
}

/// A text in both languages, as entered by an operator. Blank lines part its paragraphs; lines that start with `# ` are headings, and those with
/// `- ` are items of a list.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct LegalTextForm {
    pub kind: LegalKind,
    /// The text in English; if it is empty, readers of English see the Chinese one.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub body_en: String,
    /// The text in Chinese; if it is empty, readers of Chinese see the English one.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub body_zh: String,
}

impl LegalTextForm {
    /// The text for readers of this language.
    pub fn body(&self, language: Language) -> &str {
        let (own, other) = match language {
            Language::En => (&self.body_en, &self.body_zh),
            Language::Zh => (&self.body_zh, &self.body_en),
        };
        if own.is_empty() { other } else { own }
    }
}

/// Validates a text to publish, which differs from the `current` one of its kind.
pub fn validate_legal_text(
    form: &LegalTextForm,
    current: Option<&LegalTextForm>,
) -> Result<LegalTextForm, FieldErrors> {
    let mut checks = Checks::default();
    let body_en = checks.lines("BodyEn", &form.body_en, LEGAL_TEXT_MAX_LENGTH);
    let body_zh = checks.lines("BodyZh", &form.body_zh, LEGAL_TEXT_MAX_LENGTH);
    if body_en.is_empty() && body_zh.is_empty() {
        checks.broken("BodyEn", Rule::TextInOneLanguage, &[]);
    }
    let text = LegalTextForm { kind: form.kind, body_en, body_zh };
    if current == Some(&text) {
        checks.broken("BodyEn", Rule::TextUnchanged, &[]);
    }
    checks.finish(text)
}

/// The current texts that are not among the accepted ones, by their ids.
pub fn not_accepted(current: &[i64], accepted: &[i64]) -> Vec<i64> {
    current.iter().filter(|id| !accepted.contains(id)).copied().collect()
}

/// Checks that a sign-up accepts every current text.
pub fn check_acceptance(current: &[i64], accepted: &[i64]) -> Result<(), FieldErrors> {
    if not_accepted(current, accepted).is_empty() {
        return Ok(());
    }
    Err(FieldErrors::one("AcceptedTexts", Rule::AcceptTexts, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn text(body_en: &str, body_zh: &str) -> LegalTextForm {
        LegalTextForm { kind: LegalKind::Terms, body_en: body_en.into(), body_zh: body_zh.into() }
    }

    #[test]
    fn a_text_is_published_in_one_language_or_both_if_it_is_new() {
        let validate = |form: &LegalTextForm, current| validate_legal_text(form, current).map_err(rules);
        assert_eq!(validate(&text(" ", "\n"), None), Err(vec!["BodyEn:textInOneLanguage".to_owned()]));
        let kept = validate(&text("# Terms\r\n\r\nPay first. ", ""), None).expect("a text");
        assert_eq!(kept.body_en, "# Terms\n\nPay first.");
        assert_eq!(validate(&kept, Some(&kept)), Err(vec!["BodyEn:textUnchanged".to_owned()]));
        assert!(validate(&text("# Terms", ""), Some(&kept)).is_ok());
        let long = text(&"x".repeat(40_001), &"长".repeat(40_001));
        assert_eq!(
            validate(&long, None),
            Err(vec!["BodyEn:maxLength 40000".to_owned(), "BodyZh:maxLength 40000".to_owned()])
        );
    }

    #[test]
    fn a_text_in_one_language_is_shown_to_readers_of_the_other() {
        assert_eq!(text("Terms", "").body(Language::Zh), "Terms");
        assert_eq!(text("Terms", "条款").body(Language::Zh), "条款");
        assert_eq!(text("", "条款").body(Language::En), "条款");
    }

    #[test]
    fn a_sign_up_accepts_every_current_text() {
        assert_eq!(check_acceptance(&[], &[]), Ok(()));
        assert_eq!(check_acceptance(&[4, 7], &[7, 4, 1]), Ok(()));
        assert_eq!(rules(check_acceptance(&[4, 7], &[4]).expect_err("errors")), ["AcceptedTexts:acceptTexts"]);
        assert_eq!(not_accepted(&[4, 7], &[4]), [7]);
    }
}
