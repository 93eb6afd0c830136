//! URLs of databases: the timeouts that connections to PostgreSQL need, and URLs and errors without the password.
use diesel::ConnectionError;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

/// The file of a URL such as `sqlite:var/shop.db` or `sqlite:///srv/shop.db`.
pub fn sqlite_path(url: &str) -> Option<&str> {
    url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"))
}

/// Of libpq, unless the URL sets them: in seconds, the last one in milliseconds. A server that is gone without a word is noticed within ten seconds by
/// connections that wait for it.
const TIMEOUTS: [(&str, u32); 5] = [
    ("connect_timeout", 2),
    ("keepalives_idle", 5),
    ("keepalives_interval", 1),
    ("keepalives_count", 4),
    ("tcp_user_timeout", 8_000),
];

/// The URL with timeouts.
pub fn with_timeouts(url: &str) -> String {
    if sqlite_path(url).is_some() {
        return url.to_owned();
    }
    let has_parameters = url.rsplit('@').next().is_some_and(|end| end.contains('?'));
    let mut url = url.to_owned();
    let missing: Vec<_> = TIMEOUTS.iter().filter(|(name, _)| !url.contains(&format!("{name}="))).collect();
    for (index, (name, value)) in missing.iter().enumerate() {
        let separator = if index == 0 && !has_parameters { '?' } else { '&' };
        url += &format!("{separator}{name}={value}");
    }
    url
}

/// How long PostgreSQL may take to answer before requests no longer wait for it: the `connect_timeout` of a URL `with_timeouts`, of which libpq
/// knows none below 2 seconds. Requests never wait without end.
pub fn answers_within(url: &str) -> Duration {
    let named = url.rsplit_once("connect_timeout=").map(|(_, rest)| rest.split('&').next().unwrap_or(rest));
    Duration::from_secs(named.and_then(|seconds| seconds.parse().ok()).unwrap_or(2).clamp(2, 60))
}

/// User information, and host with port, of a PostgreSQL URL.
fn parts(url: &str) -> Option<(&str, &str)> {
    let rest = url.split_once("://")?.1;
    let authority = rest.split(['/', '?']).next()?;
    Some(authority.rsplit_once('@').unwrap_or(("", authority)))
}

/// A PostgreSQL URL without its password, and the password.
pub fn password_apart(url: &str) -> Option<(String, Option<String>)> {
    let mut parsed = reqwest::Url::parse(url).ok()?;
    let named = parsed.query_pairs().find(|(name, _)| name == "password").map(|(_, value)| value.into_owned());
    if named.is_some() {
        let others: Vec<(String, String)> = parsed
            .query_pairs()
            .filter(|(name, _)| name != "password")
            .map(|pair| (pair.0.into(), pair.1.into()))
            .collect();
        parsed.query_pairs_mut().clear().extend_pairs(others);
    }
    let password = match parsed.password() {
        Some(encoded) => Some(unescaped(encoded)?),
        None => named,
    };
    // Without a host there is nobody to have a password.
    let _ = parsed.set_password(None);
    Some((parsed.into(), password))
}

/// The text with each `%XX` as its byte.
fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

/// The addresses of the PostgreSQL server, as far as they can be found.
pub fn addresses(url: &str) -> Vec<SocketAddr> {
    let hosts = parts(url).map(|parts| parts.1).unwrap_or_default().split(',');
    let found = hosts.filter_map(|host| {
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let host = if has_port { host.to_owned() } else { format!("{host}:5432") };
        host.to_socket_addrs().ok()
    });
    found.flatten().collect()
}

/// Why a connection could not be opened, without the password. libpq repeats parts of a URL that it cannot read, so then the cause is not told.
pub fn cause(url: &str, error: &ConnectionError) -> String {
    let text = error.to_string().trim().replace('\n', "; ");
    if sqlite_path(url).is_some() {
        return text;
    }
    let user = parts(url).unwrap_or_default().0;
    let is_unreadable = !text.starts_with("connection to server") && !text.starts_with("could not translate host name");
    if is_unreadable || user.contains('@') {
        return "the URL cannot be read: is it postgres://user:password@host/database, with special characters of the password as %XX?".to_owned();
    }
    match user.split_once(':').map(|(_, password)| password).filter(|password| !password.is_empty()) {
        Some(password) => text.replace(password, "…"),
        None => text,
    }
}

/// A database's URL for the log: without password.
pub fn shown_url(url: &str) -> String {
    if sqlite_path(url).is_some() {
        return url.to_owned();
    }
    // One that cannot be taken apart is not shown: the password could be anywhere in it.
    let Ok(parts) = reqwest::Url::parse(url) else { return "postgres://…".to_owned() };
    let user = if parts.username().is_empty() { String::new() } else { format!("{}@", parts.username()) };
    let port = parts.port().map(|port| format!(":{port}")).unwrap_or_default();
    let socket = parts.query_pairs().find(|(name, _)| name == "host");
    let socket = socket.map(|(_, folder)| format!("?host={folder}")).unwrap_or_default();
    format!("postgres://{user}{}{port}{}{socket}", parts.host_str().unwrap_or_default(), parts.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_gets_the_timeouts_that_it_does_not_set() {
        assert_eq!(with_timeouts("sqlite:var/shop.db"), "sqlite:var/shop.db");
        let all = "connect_timeout=2&keepalives_idle=5&keepalives_interval=1&keepalives_count=4&tcp_user_timeout=8000";
        assert_eq!(with_timeouts("postgres://a:b@host/shop"), format!("postgres://a:b@host/shop?{all}"));
        let own = "postgres://a:b@host/shop?sslmode=require&connect_timeout=9";
        assert_eq!(with_timeouts(own), format!("{own}&{}", all.split_once('&').expect("several").1));
        assert_eq!(answers_within(&with_timeouts(own)), Duration::from_secs(9));
        assert_eq!(answers_within(&with_timeouts("postgres://a:b@host/shop")), Duration::from_secs(2));
        for (named, seconds) in [("0", 2), ("-1", 2), ("1", 2), ("18446744073709551615", 60), ("soon", 2)] {
            let url = format!("postgres://a:b@host/shop?connect_timeout={named}");
            assert_eq!(answers_within(&url), Duration::from_secs(seconds), "{named}");
        }
    }

    #[test]
    fn a_password_is_told_apart_from_its_url() {
        let apart = |url: &str| {
            let (url, password) = password_apart(url)?;
            Some((url, password.unwrap_or_default()))
        };
        for (url, without, password) in [
            (
                "postgres://ann:s3%2Fcr%C3%A9t@db:5433/shop?sslmode=require",
                "postgres://ann@db:5433/shop?sslmode=require",
                "s3/crét",
            ),
            ("postgres://ann@db/shop?password=a%2Bb&host=x", "postgres://ann@db/shop?host=x", "a+b"),
            ("postgres:///shop?host=/run/pg", "postgres:///shop?host=/run/pg", ""),
        ] {
            assert_eq!(apart(url), Some((without.to_owned(), password.to_owned())), "{url}");
        }
        assert_eq!(apart("postgres://ann:100%@db/shop"), None);
    }

    #[test]
    fn the_addresses_of_a_server_are_those_of_its_url() {
        let of = |url: &str| addresses(url).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(of("postgres://ann:p@ss:w@127.0.0.1:6543/shop?x=1"), ["127.0.0.1:6543"]);
        assert_eq!(of("postgres://127.0.0.1,[::1]:7/shop"), ["127.0.0.1:5432", "[::1]:7"]);
        assert_eq!(of("postgres:///shop?host=/run"), Vec::<String>::new());
    }

    #[test]
    fn an_error_tells_the_cause_and_never_the_password() {
        let told = |url: &str, text: &str| cause(url, &ConnectionError::BadConnection(text.to_owned()));
        let url = "postgres://ann:s3cret@db.example/shop";
        let refused =
            "connection to server at \"db.example\", port 5432 failed: FATAL:  password authentication failed";
        assert_eq!(told(url, &format!("{refused}\n")), refused);
        assert_eq!(told(url, &format!("{refused} s3cret")), format!("{refused} …"));
        for (url, text) in [
            ("postgres://ann:s3%zzcret@host/shop", "invalid percent-encoded token: \"s3%zzcret\""),
            ("postgres://ann:s3/cret@host/shop", "invalid port number: \"s3\""),
            ("postgres://ann:pa@s3@host/shop", "could not translate host name \"s3@host\" to address"),
        ] {
            assert!(!told(url, text).contains("s3"), "{url}");
        }
    }

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, shown) in [
            ("sqlite:var/postern.db", "sqlite:var/postern.db"),
            ("postgres://shop:hunter2@db.example:5433/postern", "postgres://shop@db.example:5433/postern"),
            ("postgresql://shop:hun@ter2@db.example/postern", "postgres://shop@db.example/postern"),
            ("postgres:///postern?host=/run/pg&password=hunter2", "postgres:///postern?host=/run/pg"),
            (
                "postgres://shop@db.example/postern?password=hunter2&sslmode=require",
                "postgres://shop@db.example/postern",
            ),
            ("postgres://shop:hun?ter2@db.example/postern", "postgres://…"),
        ] {
            assert_eq!(shown_url(url), shown, "{url}");
        }
    }
}
