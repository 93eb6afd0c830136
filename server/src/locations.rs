//! Locations of IP addresses, from a GeoIP database in MaxMind's format. Without one, no location is known.
use anyhow::Context;
use maxminddb::{Reader, geoip2};
use postern_core::language::Language;
use postern_core::security_log::place_name;
use std::net::IpAddr;
use std::path::Path;

pub struct Locations(Option<Reader<Vec<u8>>>);

impl Locations {
    /// Reads the whole file into memory, if there is one.
    pub fn open(file: Option<&Path>) -> anyhow::Result<Locations> {
        let Some(file) = file else { return Ok(Locations(None)) };
        let reader = Reader::open_readfile(file).with_context(|| format!("POSTERN_GEOIP_FILE, {}", file.display()))?;
        Ok(Locations(Some(reader)))
    }

    /// The city and country of an address, as far as known; empty if unknown.
    pub fn name(&self, address: &str, language: Language) -> String {
        let (Some(reader), Ok(address)) = (&self.0, address.parse::<IpAddr>()) else { return String::new() };
        // An unreadable entry counts as unknown.
        let found = reader.lookup(address).and_then(|entry| entry.decode::<geoip2::City>());
        let Ok(Some(found)) = found else { return String::new() };
        let in_language = |names: &geoip2::Names| {
            let translated = if language == Language::Zh { names.simplified_chinese } else { None };
            translated.or(names.english).unwrap_or_default().to_owned()
        };
        let country = in_language(&found.country.names);
        let country = if country.is_empty() { found.country.iso_code.unwrap_or_default().to_owned() } else { country };
        place_name(&in_language(&found.city.names), &country, language)
    }
}
