//! Languages: selection and negotiation (specification, section 4).
use crate::wire_enum::wire_enum;

wire_enum! {
    /// The supported languages.
    Language { En = "en", Zh = "zh" }
}

impl Language {
    /// The language of a choice: anything other than `zh` means English.
    pub fn from_choice(choice: &str) -> Language {
        if choice == "zh" { Language::Zh } else { Language::En }
    }

    /// The `lang` query parameter, then the stored choice, then English.
    pub fn decide(parameter: Option<&str>, kept: Option<&str>) -> Language {
        Language::from_choice(parameter.filter(|text| !text.is_empty()).or(kept).unwrap_or_default())
    }

    /// The value that every call sends in `Accept-Language`.
    pub fn accept_language(self) -> &'static str {
        match self {
            Language::En => "en-US",
            Language::Zh => "zh-CN",
        }
    }

    /// Whether forms ask for the family name first.
    pub fn family_name_first(self) -> bool {
        match self {
            Language::En => false,
            Language::Zh => true,
        }
    }

    /// Parses an `Accept-Language` header: Chinese if it is the most preferred language, otherwise English.
    pub fn from_header(header: &str) -> Language {
        let weight = |part: &str| {
            let quality = part.split(';').skip(1).find_map(|piece| piece.trim().strip_prefix("q="));
            quality.map_or(Some(1.0), |number| number.trim().parse::<f32>().ok()).unwrap_or(0.0)
        };
        let mut best = ("", 0.0);
        for part in header.split(',') {
            if weight(part) > best.1 {
                best = (part.split(';').next().unwrap_or_default().trim(), weight(part));
            }
        }
        let name = best.0.to_ascii_lowercase();
        if name == "zh" || name.starts_with("zh-") { Language::Zh } else { Language::En }
    }

    /// The date library's locale.
    pub fn date_locale(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Zh => "zh-cn",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameter_takes_precedence_over_the_stored_choice() {
        for (parameter, kept, language) in [
            (Some("zh"), Some("en"), Language::Zh),
            (Some("fr"), Some("zh"), Language::En),
            (Some(""), Some("zh"), Language::Zh),
            (None, Some("zh"), Language::Zh),
            (None, Some("zh-CN"), Language::En),
            (None, None, Language::En),
        ] {
            assert_eq!(Language::decide(parameter, kept), language, "{parameter:?} {kept:?}");
        }
    }

    #[test]
    fn accept_language_is_parsed_by_weight() {
        for (header, language) in [
            ("zh-CN", Language::Zh),
            ("zh-TW,zh;q=0.9,en;q=0.8", Language::Zh),
            ("en-US,en;q=0.9,zh-CN;q=0.8", Language::En),
            ("en;q=0.3, zh;q=0.7", Language::Zh),
            ("", Language::En),
            ("zhx", Language::En),
            ("zh;q=x", Language::En),
        ] {
            assert_eq!(Language::from_header(header), language, "{header}");
        }
    }
}
