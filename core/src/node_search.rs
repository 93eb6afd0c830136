//! What proxies are searched for.
use crate::bounds::max_characters;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;

/// How a search term is matched. Case-insensitive.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Search {
    /// No search term.
    All,
    /// A prefix, because it is too short for a trigram index.
    Prefix(String),
    /// Two Chinese characters, as a substring.
    Bigram(String),
    /// Three or more characters, as a substring.
    Substring(String),
}

/// From this length on, a search term is matched as a substring.
pub const SEARCH_PART_LENGTH: usize = 3;
/// Chinese search terms are matched as substrings from this length on, because two characters are a word.
pub const SEARCH_PAIR_LENGTH: usize = 2;

impl Search {
    pub fn of(text: &str) -> Result<Search, FieldErrors> {
        let text: String = text.trim().to_lowercase().chars().filter(|letter| *letter != '\0').collect();
        let length = text.chars().count();
        let longest = max_characters("Search");
        if length > longest {
            return Err(FieldErrors::one("Search", Rule::MaxLength, &[("Max", longest.to_string())]));
        }
        Ok(match length {
            0 => Search::All,
            SEARCH_PART_LENGTH.. => Search::Substring(text),
            SEARCH_PAIR_LENGTH if text.chars().all(is_chinese) => Search::Bigram(text),
            _ => Search::Prefix(text),
        })
    }
}

/// Whether the character is Chinese, a script without spaces between words.
pub fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_search_terms_are_matched_as_prefixes() {
        for (text, search) in [
            ("  ", Search::All),
            ("1", Search::Prefix("1".to_owned())),
            ("Ab", Search::Prefix("ab".to_owned())),
            ("店", Search::Prefix("店".to_owned())),
            ("酒店", Search::Bigram("酒店".to_owned())),
            ("酒x", Search::Prefix("酒x".to_owned())),
            (" ABC ", Search::Substring("abc".to_owned())),
            ("a\0bc", Search::Substring("abc".to_owned())),
        ] {
            assert_eq!(Search::of(text), Ok(search), "{text}");
        }
        assert!(Search::of(&"é".repeat(100)).is_ok());
        assert!(Search::of(&"é".repeat(101)).is_err());
    }
}
