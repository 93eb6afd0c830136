//! API keys: their form, permissions and rate limit (PRODUCT.md, section 9).
//!
//! A key acts for the user who created it, and has at most the permissions of that user's account: what the account may not do, because it
//! is suspended or of a lower level, its keys may not do either.
use crate::account::Throttle;
use crate::calls::{Call, KeyUse, Scope};
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::network::{Network, NetworkError};
use crate::permission::Level;
use crate::proxy_user_form::check_expiry;
use crate::rule::Rule;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// The prefix of every key, which distinguishes keys from session tokens and lets secret scanners recognise a leaked key.
pub const KEY_PREFIX: &str = "ptn_";

/// The length of the secret part: 256 random bits.
const SECRET_LENGTH: usize = 43;

/// The maximum number of keys per account, not counting revoked ones.
pub const MAX_API_KEYS: u32 = 50;

/// For how many days a revoked key is still listed, and its token distinguished from an unknown one.
pub const REVOKED_KEPT_DAYS: i64 = 30;

pub const KEY_NAME_MAX_LENGTH: usize = 60;

/// The maximum number of addresses and networks from which a key may be used.
pub const MAX_KEY_ADDRESSES: usize = 50;

/// The shortest network prefixes from which a key may be used: a wider network restricts nothing.
pub const KEY_IPV4_MIN_PREFIX: u8 = 8;
pub const KEY_IPV6_MIN_PREFIX: u8 = 16;

/// Requests per key in each window.
pub const CALLS_PER_WINDOW: u32 = 600;
pub const WINDOW_SECONDS: i64 = 60;

/// How many refusals of one key are recorded in the security log.
pub const LOGGED_REFUSALS: Throttle = Throttle { hits: 10, window_minutes: 60 };

/// The maximum number of requests that a server leases from a key's window at once, which it then counts without the database.
const LARGEST_LEASE: u32 = 30;

/// Whether a token has the form of an API key. Any other token is looked up as a session.
pub fn is_api_key(token: &str) -> bool {
    token.strip_prefix(KEY_PREFIX).is_some_and(|secret| {
        secret.len() == SECRET_LENGTH
            && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    })
}

/// The first characters of a key, which are stored so that its owner can recognise it.
pub fn display_prefix(key: &str) -> &str {
    key.get(..KEY_PREFIX.len() + 4).unwrap_or(key)
}

/// The form for an API key, as entered.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct ApiKeyForm {
    pub name: String,
    /// What the key may do: one scope or several.
    pub scopes: Vec<Scope>,
    /// Addresses and networks (CIDR) from which it may be used; empty for anywhere.
    pub addresses: Vec<String>,
    /// The expiry in UTC, `YYYY-MM-DD HH:mm:ss`; empty for none.
    pub expires_at: String,
}

/// A validated key: scopes in the order of `Scope::ALL`, addresses in the order entered, both without duplicates.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ApiKey {
    pub name: String,
    pub scopes: Vec<Scope>,
    pub addresses: Vec<Network>,
    pub expires_at: Option<NaiveDateTime>,
}

/// Validates a key for an account of this level. `now` is in UTC.
pub fn validate_api_key(form: &ApiKeyForm, level: Level, now: NaiveDateTime) -> Result<ApiKey, FieldErrors> {
    let mut checks = Checks::default();
    let name = checks.required_line("Name", &form.name, KEY_NAME_MAX_LENGTH);
    let scopes: Vec<Scope> = Scope::ALL.iter().copied().filter(|scope| form.scopes.contains(scope)).collect();
    if scopes.is_empty() {
        checks.broken("Scopes", Rule::Required, &[]);
    } else if scopes.iter().any(|scope| !scopes_of(level).contains(scope)) {
        checks.broken("Scopes", Rule::ScopeOfOperators, &[]);
    }
    let addresses = check_addresses(&form.addresses, &mut checks);
    let expires_at = check_expiry(&form.expires_at, now, &mut checks);
    checks.finish(ApiKey { name, scopes, addresses, expires_at })
}

fn check_addresses(texts: &[String], checks: &mut Checks) -> Vec<Network> {
    if texts.len() > MAX_KEY_ADDRESSES {
        checks.broken("Addresses", Rule::TooManyItems, &[("Max", MAX_KEY_ADDRESSES.to_string())]);
        return Vec::new();
    }
    let mut addresses = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        match key_network(text) {
            Ok(network) if addresses.contains(&network) => {
                checks.broken(&format!("Addresses.{index}"), Rule::WhitelistRepeated, &[]);
            }
            Ok(network) => addresses.push(network),
            Err(error) => {
                let (rule, params) = error.rule();
                checks.broken(&format!("Addresses.{index}"), rule, &params);
            }
        }
    }
    addresses
}

/// Private networks are allowed: a shop's own programs may be in one.
fn key_network(text: &str) -> Result<Network, NetworkError> {
    let network = Network::parse(text)?;
    let min = if network.address().is_ipv4() { KEY_IPV4_MIN_PREFIX } else { KEY_IPV6_MIN_PREFIX };
    if network.prefix() < min { Err(NetworkError::TooWide { min }) } else { Ok(network) }
}

/// The scopes that a key of an account of this level may have.
pub fn scopes_of(level: Level) -> &'static [Scope] {
    match level {
        Level::Operator => Scope::ALL,
        Level::Customer | Level::Reseller => CUSTOMER_SCOPES,
    }
}

/// All scopes except the operators' (the last): those of an account's access token, and the most that a customer's key may have.
pub const CUSTOMER_SCOPES: &[Scope] = Scope::ALL.split_at(Scope::ALL.len() - 1).0;

/// A key's stored permissions.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeyRights {
    pub scopes: Vec<Scope>,
    pub addresses: Vec<Network>,
    pub expires_at: Option<NaiveDateTime>,
    pub revoked_at: Option<NaiveDateTime>,
}

/// Why a key may not make a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KeyRefusal {
    /// It has expired or was revoked.
    Ended,
    /// It may not be used from this address.
    Address(IpAddr),
    /// The call requires a signed-in person.
    RequiresSession,
    /// It lacks this scope.
    Scope(Scope),
}

impl KeyRights {
    /// Whether the key may make this call. Whether its account may is checked separately.
    pub fn check_call(&self, call: &Call) -> Result<(), KeyRefusal> {
        match call.key_use {
            KeyUse::SignedInOnly => Err(KeyRefusal::RequiresSession),
            KeyUse::With(scope) if !self.scopes.contains(&scope) => Err(KeyRefusal::Scope(scope)),
            KeyUse::With(_) => Ok(()),
        }
    }

    /// Whether the key may be used now from this address.
    pub fn check_use(&self, address: IpAddr, now: NaiveDateTime) -> Result<(), KeyRefusal> {
        if self.revoked_at.is_some() || self.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(KeyRefusal::Ended);
        }
        let is_allowed = self.addresses.is_empty() || self.addresses.iter().any(|network| network.contains(address));
        if is_allowed { Ok(()) } else { Err(KeyRefusal::Address(address.to_canonical())) }
    }
}

/// The rate limit window of this time: its number, and the seconds until it ends. All servers use the same windows.
pub fn window_of(now: NaiveDateTime) -> (i64, i64) {
    let seconds = now.and_utc().timestamp();
    (seconds.div_euclid(WINDOW_SECONDS), WINDOW_SECONDS - seconds.rem_euclid(WINDOW_SECONDS))
}

/// How many requests a server leases from a window in which `taken` are already leased; 0 when none are left. Leases shrink as the window
/// fills, so that few requests are held by a server that does not need them.
///
/// ```
/// use postern_core::api_key::lease;
/// assert_eq!([lease(0), lease(500), lease(596), lease(599), lease(600)], [30, 25, 1, 1, 0]);
/// ```
pub fn lease(taken: u32) -> u32 {
    let left = CALLS_PER_WINDOW.saturating_sub(taken);
    (left / 4).clamp(u32::from(left > 0), LARGEST_LEASE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls;
    use crate::checks::rules;
    use crate::time::from_wire;

    fn now() -> NaiveDateTime {
        from_wire("2026-11-21 12:00:00").expect("a time")
    }

    fn form() -> ApiKeyForm {
        ApiKeyForm { name: "Deploy".into(), scopes: vec![Scope::ReadProxies], ..ApiKeyForm::default() }
    }

    fn rights() -> KeyRights {
        KeyRights { scopes: vec![Scope::ReadProxies], addresses: Vec::new(), expires_at: None, revoked_at: None }
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 7));

    #[test]
    fn every_invalid_field_is_reported() {
        let form = ApiKeyForm {
            name: " ".into(),
            scopes: Vec::new(),
            addresses: ["10.0.0.0/7", "here", "10.0.0.1", "10.0.0.1/32", "::/0"].map(str::to_owned).to_vec(),
            expires_at: "2026-11-21 12:00:00".into(),
        };
        let broken = |form: &ApiKeyForm| rules(validate_api_key(form, Level::Customer, now()).expect_err("errors"));
        assert_eq!(
            broken(&form),
            [
                "Addresses.0:networkTooWide 8",
                "Addresses.1:network",
                "Addresses.3:whitelistRepeated",
                "Addresses.4:networkTooWide 16",
                "ExpiresAt:timeInFuture",
                "Name:required",
                "Scopes:required",
            ]
        );
        let many = ApiKeyForm { addresses: vec!["10.0.0.1".into(); 51], name: "n".repeat(61), ..self::form() };
        assert_eq!(broken(&many), ["Addresses:tooManyItems 50", "Name:maxLength 60"]);
    }

    #[test]
    fn a_key_never_exceeds_its_account() {
        let form = ApiKeyForm { scopes: vec![Scope::Operate], ..form() };
        for level in [Level::Customer, Level::Reseller] {
            assert_eq!(
                validate_api_key(&form, level, now()).map_err(rules),
                Err(vec!["Scopes:scopeOfOperators".to_owned()])
            );
        }
        assert!(validate_api_key(&form, Level::Operator, now()).is_ok());
        assert!(!CUSTOMER_SCOPES.contains(&Scope::Operate) && CUSTOMER_SCOPES.len() + 1 == Scope::ALL.len());
    }

    #[test]
    fn a_key_is_stored_in_canonical_form() {
        let form = ApiKeyForm {
            name: " Deploy ".into(),
            scopes: vec![Scope::WriteProxies, Scope::ReadProxies, Scope::WriteProxies],
            addresses: vec![" 192.0.2.77/24".into(), "2001:db8::1".into()],
            expires_at: "2027-01-01 00:00:00".into(),
        };
        let kept = validate_api_key(&form, Level::Customer, now()).expect("a key");
        assert_eq!(kept.name, "Deploy");
        assert_eq!(kept.scopes, [Scope::ReadProxies, Scope::WriteProxies]);
        let addresses: Vec<String> = kept.addresses.iter().map(Network::to_string).collect();
        assert_eq!(addresses, ["192.0.2.0/24", "2001:db8::1"]);
        assert_eq!(kept.expires_at, from_wire("2027-01-01 00:00:00"));
    }

    #[test]
    fn only_tokens_in_the_form_of_a_key_are_keys() {
        let secret = "aB3-_".repeat(9);
        assert!(is_api_key(&format!("ptn_{}", &secret[..43])));
        for token in [secret[..43].to_owned(), format!("ptn_{}", &secret[..42]), format!("ptn_{}", &secret[..44])] {
            assert!(!is_api_key(&token), "{token}");
        }
        assert!(!is_api_key(&format!("ptn_{}.", &secret[..42])) && !is_api_key(&format!("PTN_{}", &secret[..43])));
        assert_eq!((display_prefix("ptn_abcdefgh"), display_prefix("ptn")), ("ptn_abcd", "ptn"));
    }

    #[test]
    fn a_key_is_refused_after_expiry_from_other_addresses_and_without_the_scope() {
        let call = |name| calls::find(name).expect("a call");
        assert_eq!(rights().check_use(HERE, now()), Ok(()));
        let revoked = KeyRights { revoked_at: Some(now()), ..rights() };
        let expired = KeyRights { expires_at: Some(now()), ..rights() };
        for ended in [revoked, expired] {
            assert_eq!(ended.check_use(HERE, now()), Err(KeyRefusal::Ended));
        }
        let networks = ["10.0.0.0/8", "2001:db8::/32"].map(|text| Network::parse(text).expect("a network"));
        let elsewhere = KeyRights { addresses: networks.to_vec(), ..rights() };
        assert_eq!(rights().check_call(call("Ips/GetUserNodeList")), Ok(()));
        assert_eq!(elsewhere.check_use(HERE, now()), Err(KeyRefusal::Address(HERE)));
        assert_eq!(elsewhere.check_use("::ffff:10.1.2.3".parse().expect("an address"), now()), Ok(()));
        assert_eq!(rights().check_call(call("Order/CreateOrder")), Err(KeyRefusal::Scope(Scope::WriteBilling)));
        let all = KeyRights { scopes: Scope::ALL.to_vec(), ..rights() };
        assert_eq!(all.check_call(call("User/Logout")), Err(KeyRefusal::RequiresSession));
        assert_eq!(all.check_call(call("Operator/GetAccount")), Ok(()));
    }

    #[test]
    fn leases_add_up_to_the_limit_and_shrink_towards_it() {
        let mut taken = 0;
        let mut leases = 0;
        while lease(taken) > 0 {
            taken += lease(taken);
            leases += 1;
        }
        assert_eq!(taken, CALLS_PER_WINDOW);
        assert!(leases < 50, "{leases} leases");
        assert_eq!(lease(CALLS_PER_WINDOW + 1), 0);
    }

    #[test]
    fn all_servers_use_the_same_windows() {
        let at = |text| window_of(from_wire(text).expect("a time"));
        let (first, left) = at("2026-11-21 12:00:00");
        assert_eq!((left, at("2026-11-21 12:00:59")), (60, (first, 1)));
        assert_eq!(at("2026-11-21 12:01:00"), (first + 1, 60));
    }
}
