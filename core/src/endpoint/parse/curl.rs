//! `curl` commands that name a proxy.
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::url::read_url;
use crate::endpoint::types::Endpoint;

pub(super) fn is_curl(line: &str) -> bool {
    line.strip_prefix("curl").is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// Parses the proxy of a `curl` command: the value of `-x`, `--proxy` or `--socks5`, and the user in `-U` or `--proxy-user`.
pub(super) fn read_curl(line: &str) -> Result<Endpoint, EndpointError> {
    let words = shell_words(line).ok_or(EndpointError::Curl)?;
    let mut words = words.iter().map(String::as_str).skip(1);
    let (mut proxy, mut user) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "-x" | "--proxy" => proxy = words.next().map(|value| ("http", value)),
            "--socks5" => proxy = words.next().map(|value| ("socks5", value)),
            "--socks5-hostname" => proxy = words.next().map(|value| ("socks5h", value)),
            "-U" | "--proxy-user" => user = words.next(),
            _ => {
                proxy = word.strip_prefix("-x").map(|value| ("http", value)).or(proxy);
                user = word.strip_prefix("-U").or(user);
            }
        }
    }
    let (scheme, address) = proxy.ok_or(EndpointError::Curl)?;
    let mut read =
        if address.contains("://") { read_url(address)? } else { read_url(&format!("{scheme}://{address}"))? };
    if let Some(user) = user {
        let (name, password) = user.split_once(':').unwrap_or((user, ""));
        (read.user_name, read.password) = (name.to_owned(), password.to_owned());
    }
    Ok(read)
}

/// Splits a command into words like a POSIX shell; `None` if a quote is not closed.
fn shell_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                let current = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        inside => current.push(inside),
                    }
                }
            }
            '"' => {
                let current = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            escaped @ ('"' | '\\' | '$' | '`') => current.push(escaped),
                            other => current.extend(['\\', other]),
                        },
                        inside => current.push(inside),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            _ if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    Some(words)
}
