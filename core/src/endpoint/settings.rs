//! The settings of the endpoint generator: everything that determines a list except secrets, so that they can be saved and shared.
use crate::checks::Checks;
use crate::endpoint::error::EndpointError;
use crate::endpoint::format::EndpointFormat;
use crate::endpoint::list::{LIST_MAX, ListLines, ListRequest};
use crate::endpoint::sessions::SessionIds;
use crate::endpoint::types::Endpoint;
use crate::endpoint::user::{NAME_MAX_LENGTH, UserName, UserParts};
use crate::field_errors::FieldErrors;
use crate::node_forms::NODE_PASSWORD_LENGTH;
use serde::{Deserialize, Serialize};

/// The maximum number of presets per account.
pub const MAX_PRESETS: i64 = 30;

/// The maximum number of list URLs per account.
pub const MAX_LIST_URLS: i64 = 50;

pub const PRESET_NAME_MAX_LENGTH: usize = 40;

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct EndpointSettings {
    /// The proxy server.
    pub server_id: i64,
    /// `http` or `socks5`.
    pub scheme: String,
    /// Lines without user name and password, for clients on the whitelist.
    #[serde(default)]
    pub use_whitelist: bool,
    /// Two-letter code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub country: Option<String>,
    /// In the form that `placePart` returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub state: Option<String>,
    /// As `state`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub city: Option<String>,
    /// Whether each line keeps its exit; otherwise exits rotate.
    #[serde(default)]
    pub sticky: bool,
    /// How long a line keeps its exit, in minutes, 1 to 1440. Only for sticky lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub ttl_minutes: Option<u32>,
    /// The number of lines, 1 to 100,000.
    pub count: u32,
    pub format: EndpointFormat,
    /// Replaces the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub template: Option<String>,
}

/// The server that customers connect to.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct EndpointServer {
    pub host: String,
    pub http_port: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub socks5_port: Option<u16>,
}

/// The credentials in the lines. Not needed if clients are identified by their addresses.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase", default)]
pub struct EndpointUser {
    /// The proxy user's name.
    pub name: String,
    pub password: String,
}

/// Builds the list request of these settings. The same `seed` gives the same sessions. Fails if the server does not support the protocol.
pub fn list_request(
    settings: &EndpointSettings,
    server: &EndpointServer,
    user: &EndpointUser,
    seed: &str,
) -> Result<ListRequest, FieldErrors> {
    let is_socks = settings.scheme.starts_with("socks5");
    let port = if is_socks { server.socks5_port } else { Some(server.http_port) };
    let Some(port) = port else {
        let mut errors = FieldErrors::default();
        errors.push("Scheme", EndpointError::Scheme { value: settings.scheme.clone() }.into());
        return Err(errors);
    };
    let parts = UserParts {
        name: user.name.clone(),
        country: settings.country.as_ref().map(|code| code.to_ascii_lowercase()),
        state: settings.state.clone(),
        city: settings.city.clone(),
        session: None,
        ttl_minutes: settings.ttl_minutes.filter(|_| settings.sticky),
    };
    Ok(ListRequest {
        scheme: settings.scheme.clone(),
        host: server.host.clone(),
        ports: vec![port],
        user: (!settings.use_whitelist).then_some(parts),
        password: if settings.use_whitelist { String::new() } else { user.password.clone() },
        count: settings.count,
        sticky: settings.sticky,
        seed: seed.to_owned(),
        format: settings.format,
        template: settings.template.clone(),
        target: None,
    })
}

/// One endpoint of these settings, for a test with the proxy user's password. A sticky one has the first session of `seed`.
pub fn test_endpoint(
    settings: &EndpointSettings,
    server: &EndpointServer,
    user: &EndpointUser,
    seed: &str,
) -> Result<Endpoint, FieldErrors> {
    let with_password = EndpointSettings { use_whitelist: false, ..settings.clone() };
    let request = list_request(&with_password, server, user, seed)?;
    let session = request.sticky.then(|| SessionIds::new(seed).spell(0).as_str().to_owned());
    let parts = UserParts { session, ..request.user.unwrap_or_default() };
    Ok(Endpoint {
        scheme: request.scheme,
        host: request.host,
        port: request.ports.first().copied().unwrap_or_default(),
        user_name: UserName::new(parts)?.to_string(),
        password: request.password,
    })
}

/// Validates the name of a preset or a list URL; returns it as stored.
pub fn check_preset_name(name: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let name = checks.required_line("Name", name, PRESET_NAME_MAX_LENGTH);
    checks.finish(name)
}

/// Validates settings before they are saved: they must give a valid list for any proxy user of this server.
pub fn check_settings(settings: &EndpointSettings, server: &EndpointServer) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    if !(1..=LIST_MAX).contains(&settings.count) {
        errors.push("Count", EndpointError::Count { max: LIST_MAX }.into());
    }
    // The longest credentials give the longest lines. Neither they nor any others need escaping.
    let (name, password) = ("a".repeat(NAME_MAX_LENGTH), "a".repeat(*NODE_PASSWORD_LENGTH.end()));
    let one = EndpointSettings { count: 1, ..settings.clone() };
    let request = list_request(&one, server, &EndpointUser { name, password }, "");
    if let Err(wrong) = request.and_then(ListLines::new) {
        for (field, rules) in wrong.0 {
            let field = field.strip_prefix("User.").unwrap_or(&field).to_owned();
            rules.into_iter().for_each(|broken| errors.push(&field, broken));
        }
    }
    errors.into_result(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;
    use crate::endpoint::build_list;

    #[test]
    fn a_test_has_the_password_and_a_session_that_its_settings_ask_for() {
        let server = EndpointServer { host: "gate.example".into(), http_port: 8_000, socks5_port: Some(1_080) };
        let user = EndpointUser { name: "ann".into(), password: "pw".into() };
        let tested =
            |settings: &EndpointSettings| test_endpoint(settings, &server, &user, "seed").expect("an endpoint");
        let open = EndpointSettings { use_whitelist: true, sticky: false, ttl_minutes: None, ..settings() };
        let rotating = tested(&open);
        assert!(!rotating.user_name.contains("session") && rotating.password == "pw", "{rotating:?}");
        let sticky = EndpointSettings { sticky: true, ttl_minutes: Some(5), scheme: "socks5".into(), ..settings() };
        let endpoint = tested(&sticky);
        assert_eq!((endpoint.scheme.as_str(), endpoint.port), ("socks5", 1_080));
        let listed =
            list_request(&EndpointSettings { count: 1, format: EndpointFormat::Url, ..sticky }, &server, &user, "seed");
        let line = build_list(&listed.expect("a request")).expect("a list");
        assert_eq!(line, format!("socks5://{}:pw@gate.example:1080", endpoint.user_name));
    }

    fn settings() -> EndpointSettings {
        EndpointSettings {
            server_id: 1,
            scheme: "http".into(),
            use_whitelist: false,
            country: Some("us".into()),
            state: None,
            city: None,
            sticky: true,
            ttl_minutes: Some(10),
            count: 2,
            format: EndpointFormat::HostPortUserPass,
            template: None,
        }
    }

    fn server() -> EndpointServer {
        EndpointServer { host: "gate.example".into(), http_port: 8_000, socks5_port: None }
    }

    #[test]
    fn settings_without_a_valid_list_are_rejected_at_their_field() {
        for (wrong, broken) in [
            (EndpointSettings { count: 0, ..settings() }, "Count:endpointCount 100000"),
            (EndpointSettings { count: 100_001, ..settings() }, "Count:endpointCount 100000"),
            (EndpointSettings { scheme: "socks5".into(), ..settings() }, "Scheme:endpointScheme socks5"),
            (EndpointSettings { scheme: "ftp".into(), ..settings() }, "Scheme:endpointScheme ftp"),
            (EndpointSettings { country: Some("xx".into()), ..settings() }, "Country:endpointCountry xx"),
            (EndpointSettings { ttl_minutes: Some(0), ..settings() }, "TtlMinutes:endpointTtl 1440 1"),
            (
                EndpointSettings { template: Some("{nothing}".into()), ..settings() },
                "Template:endpointPlaceholder nothing 1",
            ),
            (EndpointSettings { template: Some("{user}".repeat(20)), ..settings() }, "Template:endpointLine 1000"),
        ] {
            let errors = check_settings(&wrong, &server()).expect_err("errors");
            assert_eq!(rules(errors).join("; ").replace(", ", " "), broken, "{wrong:?}");
        }
        assert_eq!(check_settings(&settings(), &server()), Ok(()));
    }

    #[test]
    fn the_same_seed_gives_the_same_list_and_only_sticky_lines_have_minutes() {
        let user = EndpointUser { name: "scraper_1".into(), password: "k3yring99".into() };
        let list = |settings: &EndpointSettings, seed| {
            build_list(&list_request(settings, &server(), &user, seed).expect("a request")).expect("a list")
        };
        let sticky = list(&settings(), "a");
        assert!(
            sticky.starts_with("gate.example:8000:user-scraper_1-country-us-session-") && sticky.contains("-ttl-10:")
        );
        assert_eq!(list(&settings(), "a"), sticky);
        assert_ne!(list(&settings(), "b"), sticky);
        let rotating = EndpointSettings { sticky: false, count: 1, ..settings() };
        assert_eq!(list(&rotating, "a").trim_end(), "gate.example:8000:user-scraper_1-country-us:k3yring99");
        let by_address = EndpointSettings { use_whitelist: true, country: None, sticky: false, count: 1, ..settings() };
        assert_eq!(list(&by_address, "a").trim_end(), "gate.example:8000");
    }
}
