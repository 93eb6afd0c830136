//! The file of upstreams, in TOML.
use crate::host_port::HostPort;
use crate::secret::Secret;
use crate::upstream::template::Template;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::Path;

/// What SOCKS5 can carry.
const MAX_PASSWORD_BYTES: usize = 255;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    Http,
    Socks5,
}

#[derive(Clone, Debug)]
pub struct Upstream {
    pub kind: Kind,
    pub address: HostPort,
    pub user_name: Template,
    pub password: Secret,
    pub weight: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    upstream: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    url: String,
    #[serde(default)]
    user_name: String,
    #[serde(default)]
    password: String,
    #[serde(default = "one")]
    weight: u32,
}

fn one() -> u32 {
    1
}

pub fn read(path: &Path) -> Result<Vec<Upstream>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    parse(&text).with_context(|| format!("reading {}", path.display()))
}

pub fn parse(text: &str) -> Result<Vec<Upstream>> {
    let file: File = toml::from_str(text).map_err(without_source)?;
    ensure!(!file.upstream.is_empty(), "there is no upstream");
    file.upstream
        .into_iter()
        .enumerate()
        .map(|(index, entry)| upstream(entry).with_context(|| format!("upstream {}", index + 1)))
        .collect()
}

/// The error without the line that it is about, which may hold a password.
fn without_source(error: toml::de::Error) -> anyhow::Error {
    anyhow::anyhow!("{}", error.message())
}

fn upstream(entry: Entry) -> Result<Upstream> {
    let (kind, address) = match entry.url.split_once("://") {
        Some(("http", address)) => (Kind::Http, address),
        Some(("socks5", address)) => (Kind::Socks5, address),
        _ => anyhow::bail!("its url begins with neither http:// nor socks5://"),
    };
    let address = HostPort::parse(address.trim_end_matches('/'), None).ok();
    ensure!(entry.weight > 0, "its weight is 0");
    ensure!(entry.password.len() <= MAX_PASSWORD_BYTES, "its password has more than {MAX_PASSWORD_BYTES} bytes");
    Ok(Upstream {
        kind,
        address: address.context("its url is not scheme://host:port")?,
        user_name: Template::parse(&entry.user_name)?,
        password: Secret::new(entry.password),
        weight: entry.weight,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_is_refused_without_showing_its_passwords() {
        for text in [
            "",
            "upstream = []",
            "[[upstream]]\npassword = \"hidden\"\n",
            "[[upstream]]\nurl = \"https://a:1\"\npassword = \"hidden\"\n",
            "[[upstream]]\nurl = \"http://a\"\npassword = \"hidden\"\n",
            "[[upstream]]\nurl = \"http://u:hidden@a:1\"\n",
            "[[upstream]]\nurl = \"http://a:1\"\nweight = 0\npassword = \"hidden\"\n",
            "[[upstream]]\nurl = \"http://a:1\"\nuser_name = \"{x}\"\npassword = \"hidden\"\n",
            "[[upstream]]\nurl = \"http://a:1\"\npasword = \"hidden\"\n",
            "[[upstream]]\nurl = \"http://a:1\"\npassword = \"hidden\n",
        ] {
            let problem = format!("{:#}", parse(text).expect_err("an error"));
            assert!(!problem.contains("hidden"), "{problem}");
        }
    }

    #[test]
    fn upstreams_are_read() {
        let text = "[[upstream]]\nurl = \"http://a.example:7777\"\nuser_name = \"c-{country}\"\npassword = \"p\"\nweight = 3\n\
                    [[upstream]]\nurl = \"socks5://[2001:db8::1]:1080/\"\n";
        let read = parse(text).expect("upstreams");
        let shown: Vec<(Kind, String, u32)> =
            read.iter().map(|upstream| (upstream.kind, upstream.address.to_string(), upstream.weight)).collect();
        let socks5 = (Kind::Socks5, "[2001:db8::1]:1080".to_owned(), 1);
        assert_eq!(shown, [(Kind::Http, "a.example:7777".to_owned(), 3), socks5]);
    }
}
