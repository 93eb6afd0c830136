//! Splits a user name, password or host name of another shop into its parameters, by the shop's grammar.
use crate::endpoint::providers::{Grammar, Meaning, Style};
use crate::place;

pub(super) struct Pair {
    pub key: String,
    /// `None` for an unknown key.
    pub meaning: Option<Meaning>,
    pub value: String,
}

#[derive(Default)]
pub(super) struct Split {
    /// The text before the first key.
    pub base: String,
    pub pairs: Vec<Pair>,
}

pub(super) fn split_words(text: &str, grammar: &Grammar) -> Split {
    let meaning_of =
        |word: &str| grammar.keys.iter().find(|(key, _)| key.eq_ignore_ascii_case(word)).map(|(_, meaning)| *meaning);
    let mut split = Split::default();
    match grammar.style {
        Style::Chain(separator) => {
            let mut words = text.split(separator).peekable();
            while let Some(word) = words.next() {
                if let Some(meaning) = meaning_of(word) {
                    // The word after a key is its value, even if it looks like a key.
                    let value = words.next().unwrap_or_default().to_owned();
                    split.pairs.push(Pair { key: word.to_owned(), meaning: Some(meaning), value });
                    continue;
                }
                match split.pairs.last_mut() {
                    None if split.base.is_empty() && grammar.lead.contains(&word) => {}
                    None => {
                        if !split.base.is_empty() {
                            split.base.push(separator);
                        }
                        split.base.push_str(word);
                    }
                    Some(Pair {
                        meaning: None | Some(Meaning::Name | Meaning::Session | Meaning::StrictSession),
                        value,
                        ..
                    }) => {
                        if !value.is_empty() {
                            value.push(separator);
                        }
                        value.push_str(word);
                    }
                    Some(_) => {
                        split.pairs.push(Pair { key: word.to_owned(), meaning: None, value: String::new() });
                    }
                }
            }
        }
        Style::Pairs(between, within) => {
            for (index, word) in text.split(between).enumerate() {
                let known = word.split_once(within).and_then(|(key, value)| Some((key, meaning_of(key)?, value)));
                match (known, split.pairs.last_mut()) {
                    (Some((key, meaning, value)), _) => {
                        split.pairs.push(Pair { key: key.to_owned(), meaning: Some(meaning), value: value.to_owned() });
                    }
                    (None, None) => {
                        if index > 0 {
                            split.base.push(between);
                        }
                        split.base.push_str(word);
                    }
                    (None, Some(_)) => {
                        let (key, value) = word.split_once(within).unwrap_or((word, ""));
                        split.pairs.push(Pair { key: key.to_owned(), meaning: None, value: value.to_owned() });
                    }
                }
            }
        }
        Style::Bare(separator) => {
            for (index, word) in text.split(separator).enumerate() {
                let pair =
                    |key: &str, meaning, value: &str| Pair { key: key.to_owned(), meaning, value: value.to_owned() };
                if index == 0 {
                    word.clone_into(&mut split.base);
                } else if let Some(city) = word.strip_prefix("city_") {
                    split.pairs.push(pair("city", Some(Meaning::City), city));
                } else if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) {
                    split.pairs.push(pair("session", Some(Meaning::Session), word));
                } else if place::is_country(word) {
                    split.pairs.push(pair("country", Some(Meaning::Country), word));
                } else if word != "rotate" {
                    split.pairs.push(pair(word, None, ""));
                }
            }
        }
    }
    split
}
