//! The address map of a machine behind NAT: which public address each of its private addresses has.
use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::Path;

/// Public addresses by private ones. Addresses that it does not name are public themselves.
#[derive(Debug, Default)]
pub struct AddressMap(HashMap<IpAddr, IpAddr>);

impl AddressMap {
    pub fn read(path: &Path) -> Result<AddressMap> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        AddressMap::parse(&text).with_context(|| format!("reading {}", path.display()))
    }

    /// Reads lines `public = private`. Empty lines, and what follows a `#`, are skipped.
    pub fn parse(text: &str) -> Result<AddressMap> {
        let mut map = HashMap::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (public, private) =
                pair(line).with_context(|| format!("line {} is not `public = private`: {line}", index + 1))?;
            if map.insert(private, public).is_some() {
                bail!("line {} names {private} again", index + 1);
            }
        }
        Ok(AddressMap(map))
    }

    /// The public address of an address of this machine.
    pub fn public_of(&self, private: IpAddr) -> IpAddr {
        self.0.get(&private).copied().unwrap_or(private)
    }

    /// The addresses of this machine that have this public address, in order.
    pub fn private_of(&self, public: IpAddr) -> Vec<IpAddr> {
        let mut found: Vec<IpAddr> =
            self.0.iter().filter(|(_, of)| **of == public).map(|(private, _)| *private).collect();
        if found.is_empty() && !self.0.contains_key(&public) {
            found.push(public);
        }
        found.sort_unstable();
        found
    }
}

fn pair(line: &str) -> Option<(IpAddr, IpAddr)> {
    let (public, private) = line.split_once('=')?;
    let public: IpAddr = public.trim().parse().ok()?;
    let private: IpAddr = private.trim().parse().ok()?;
    Some((public.to_canonical(), private.to_canonical()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn broken_and_repeated_lines_are_named() {
        for (text, problem) in [
            ("\n8.8.8.8 10.0.0.1", "line 2 is not `public = private`: 8.8.8.8 10.0.0.1"),
            ("8.8.8.8 = host", "line 1 is not `public = private`: 8.8.8.8 = host"),
            ("8.8.8.8 = 10.0.0.1\n8.8.4.4 = 10.0.0.1", "line 2 names 10.0.0.1 again"),
        ] {
            assert_eq!(AddressMap::parse(text).expect_err("an error").to_string(), problem);
        }
    }

    #[test]
    fn an_address_without_a_line_is_public_itself() {
        let map = AddressMap::parse("# NAT\n\n8.8.8.8 = 10.0.0.1 # one\n").expect("a map");
        assert_eq!(map.public_of(address("10.0.0.1")), address("8.8.8.8"));
        assert_eq!(map.public_of(address("10.0.0.2")), address("10.0.0.2"));
        assert_eq!(map.private_of(address("8.8.8.8")), [address("10.0.0.1")]);
        assert_eq!(map.private_of(address("10.0.0.2")), [address("10.0.0.2")]);
    }
}
