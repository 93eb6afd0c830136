//! Texts for mails, messages and pages, in both languages, from the files that the browser loads.
use anyhow::Context;
use postern_core::language::Language;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// All texts, by language and `namespace:key.of.the.text`.
#[derive(Clone)]
pub struct Texts {
    texts: Arc<HashMap<(Language, String), String>>,
}

impl Texts {
    pub fn load(folder: &Path) -> anyhow::Result<Texts> {
        let mut texts = HashMap::new();
        for language in Language::ALL {
            let folder = folder.join(language.as_str());
            for entry in
                std::fs::read_dir(&folder).with_context(|| format!("reading the texts in {}", folder.display()))?
            {
                let path = entry?.path();
                let Some(namespace) = path.file_stem().and_then(|name| name.to_str()) else { continue };
                let content = std::fs::read_to_string(&path)?;
                let value: Value =
                    serde_json::from_str(&content).with_context(|| format!("reading {}", path.display()))?;
                flatten(&format!("{namespace}:"), &value, &mut |key, text| {
                    texts.insert((*language, key), text.to_owned());
                });
            }
        }
        Ok(Texts { texts: Arc::new(texts) })
    }

    /// The texts of one namespace, as English ones, from the content of a file that is part of the program.
    pub fn of_one(namespace: &str, content: &str) -> Texts {
        let mut texts = HashMap::new();
        let value: Value = serde_json::from_str(content).unwrap_or_default();
        flatten(&format!("{namespace}:"), &value, &mut |key, text| {
            texts.insert((Language::En, key), text.to_owned());
        });
        Texts { texts: Arc::new(texts) }
    }

    /// The text with each `{{Name}}` replaced by a parameter. A missing key returns the key itself; a test checks that all keys exist.
    pub fn get(&self, language: Language, key: &str, parameters: &Value) -> String {
        filled(self.template(language, key).unwrap_or(key), parameters)
    }

    /// The template of a text whose words depend on how many: `key_one` where a language has a form for one and `Count` is 1, otherwise
    /// `key_other`; as in the browser. A text without forms is the same for any number.
    pub fn template_for(&self, language: Language, key: &str, parameters: &Value) -> Option<&str> {
        let one = (parameters["Count"].as_i64() == Some(1)).then(|| format!("{key}_one"));
        let forms = one.into_iter().chain([format!("{key}_other"), key.to_owned()]);
        forms.into_iter().find_map(|key| self.template(language, &key))
    }

    /// The text with its placeholders.
    pub fn template(&self, language: Language, key: &str) -> Option<&str> {
        self.texts.get(&(language, key.to_owned())).map(String::as_str)
    }
}

/// A text with each `{{Name}}` replaced by a parameter, in one pass: braces in a parameter stay as they are.
pub fn filled(text: &str, parameters: &Value) -> String {
    let mut rest = text;
    let mut whole = String::with_capacity(text.len());
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
    {
        whole.push_str(before);
        match parameters.get(name) {
            Some(Value::String(value)) => whole.push_str(value),
            Some(value) => whole.push_str(&value.to_string()),
            None => whole.push_str(&format!("{{{{{name}}}}}")),
        }
        rest = after;
    }
    whole.push_str(rest);
    whole
}

fn flatten(prefix: &str, value: &Value, put: &mut impl FnMut(String, &str)) {
    match value {
        Value::String(text) => put(prefix.to_owned(), text),
        Value::Object(fields) => {
            for (name, inner) in fields {
                let separator = if prefix.ends_with(':') { "" } else { "." };
                flatten(&format!("{prefix}{separator}{name}"), inner, put);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn placeholders_are_filled_once() {
        let parameters = json!({ "Name": "{{Secret}} }}", "Secret": "x", "Count": 3 });
        for (text, expected) in [
            ("{{Name}}: {{Count}}", "{{Secret}} }}: 3"),
            ("{{Unknown}} {{Count}}", "{{Unknown}} 3"),
            ("{{Count", "{{Count"),
            ("}} {{}} {{Count}}.", "}} {{}} 3."),
            ("", ""),
        ] {
            assert_eq!(filled(text, &parameters), expected);
        }
        assert_eq!(filled("{{Count}}", &Value::Null), "{{Count}}");
    }
}
