//! A file with settings that a shell and systemd's `EnvironmentFile` read alike: one `NAME="value"` a line.
use crate::config::VARIABLES;
use crate::security::write_private;
use anyhow::Context;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

/// What both readers take for something else between double quotes, and for itself behind a backslash.
const ESCAPED: [char; 4] = ['"', '\\', '$', '`'];

/// Why a value cannot be written.
pub fn refusal(name: &str, value: &str) -> Option<String> {
    if !value.chars().any(char::is_control) {
        return None;
    }
    let hint = match name {
        "POSTERN_TRANSFER_DETAILS" => ": write \\n for a new line",
        "POSTERN_SELLER_ADDRESS" => ": separate lines by |",
        _ => "",
    };
    Some(format!("{name} has a line break or another control character, which a settings file cannot hold{hint}"))
}

/// The value between quotes; it must not be refused.
fn quoted(value: &str) -> String {
    let mut quoted = String::from("\"");
    for character in value.chars() {
        if ESCAPED.contains(&character) {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted + "\""
}

/// The file's text, in the order of the settings, each with its description.
pub fn text(variables: &HashMap<String, String>) -> String {
    let mut text =
        String::from("# Settings of this shop, for `set -a; . FILE; set +a` and for EnvironmentFile of systemd.\n");
    for (name, meaning) in VARIABLES {
        if let Some(value) = variables.get(*name) {
            // A backslash would join lines for systemd, also in a comment.
            let meaning = meaning.replace('\\', "");
            let _ = write!(text, "\n# {meaning}\n{name}={}\n", quoted(value));
        }
    }
    text
}

/// The settings of a file that `text` wrote, or somebody by hand in the same manner. A line in another manner is an error.
pub fn parse(text: &str) -> anyhow::Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let lines = (1..).zip(text.lines().map(str::trim));
    for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let pair = line.split_once('=').and_then(|(name, value)| Some((name, unquoted(value)?)));
        let (name, value) = pair.with_context(|| format!("line {number} is not of the form NAME=\"value\""))?;
        found.insert(name.to_owned(), value);
    }
    Ok(found)
}

fn unquoted(text: &str) -> Option<String> {
    let Some(inner) = text.strip_prefix('"') else {
        let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-.,:/@%+=".contains(character);
        return text.chars().all(is_plain).then(|| text.to_owned());
    };
    let mut value = String::new();
    let mut rest = inner.chars();
    while let Some(character) = rest.next() {
        match character {
            '"' => return rest.as_str().is_empty().then_some(value),
            '\\' => {
                let next = rest.next()?;
                if !ESCAPED.contains(&next) {
                    value.push('\\');
                }
                value.push(next);
            }
            other => value.push(other),
        }
    }
    None
}

/// What a file says of these settings.
#[derive(Debug, Eq, PartialEq)]
pub enum Present {
    Nothing,
    Same,
    /// The names of the settings that differ.
    Other(Vec<String>),
}

/// Compares a file with these settings.
pub fn present(path: &Path, variables: &HashMap<String, String>) -> anyhow::Result<Present> {
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Present::Nothing),
        text => text.with_context(|| format!("reading {}", path.display()))?,
    };
    let Ok(there) = parse(&text) else { return Ok(Present::Other(vec!["lines in another manner".to_owned()])) };
    let names = there.keys().chain(variables.keys()).filter(|name| there.get(*name) != variables.get(*name));
    let mut names: Vec<String> = names.cloned().collect();
    names.sort();
    names.dedup();
    Ok(if names.is_empty() { Present::Same } else { Present::Other(names) })
}

/// Writes the file, which only its owner can read.
pub fn write(path: &Path, variables: &HashMap<String, String>) -> anyhow::Result<()> {
    write_private(path, &text(variables)).with_context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let awkward = r#"a "b" 'c' \n $HOME `id` \ #; é"#;
        let variables = HashMap::from([
            ("POSTERN_SHOP_NAME".to_owned(), awkward.to_owned()),
            ("POSTERN_TRANSFER_DETAILS".to_owned(), "A\\nB\\".to_owned()),
            ("PORT".to_owned(), String::new()),
        ]);
        let there: HashMap<String, String> = parse(&text(&variables)).expect("settings").into_iter().collect();
        assert_eq!(there, variables);
        assert_eq!(parse("PORT=9000\n").expect("settings")["PORT"], "9000");
        for wrong in ["PORT", "PORT=\"9", "PORT=\"9\" 8", "PORT=$(id)", "PORT=a b"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn control_characters_are_refused() {
        for value in ["a\nb", "a\rb", "a\0b", "a\tb"] {
            assert!(refusal("POSTERN_SHOP_NAME", value).is_some_and(|why| why.starts_with("POSTERN_SHOP_NAME")));
        }
        assert_eq!(refusal("POSTERN_SHOP_NAME", "Northlight 密"), None);
    }
}
