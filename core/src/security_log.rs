//! The security log: events about a user's sign-in and access, and the names of devices in it.
use crate::language::Language;
use crate::wire_enum::wire_enum;

/// How long entries are kept.
pub const KEEP_DAYS: i64 = 365;
/// Longer `User-Agent` values are truncated.
pub const USER_AGENT_MAX_LENGTH: usize = 300;
/// A session's last use is written at most once per this interval.
pub const LAST_USE_SECONDS: i64 = 60;

wire_enum! {
    /// The kind of an event. Its text is in `locales/{language}/security.json`, under `kinds`.
    SecurityKind {
        SignedIn = "signed_in",
        SignInFailed = "sign_in_failed",
        /// The password was correct, but not the code of two-factor authentication.
        CodeRefused = "code_refused",
        SignedOut = "signed_out",
        PasswordChanged = "password_changed",
        PasswordReset = "password_reset",
        TwoFactorOn = "two_factor_on",
        TwoFactorOff = "two_factor_off",
        RecoveryCodesReplaced = "recovery_codes_replaced",
        RecoveryCodeUsed = "recovery_code_used",
        SessionRevoked = "session_revoked",
        EmailChangeRequested = "email_change_requested",
        EmailChanged = "email_changed",
        EmailChangeStopped = "email_change_stopped",
        ApiKeyCreated = "api_key_created",
        ApiKeyChanged = "api_key_changed",
        ApiKeyRevoked = "api_key_revoked",
        ApiKeyRefused = "api_key_refused",
        /// A change was made with a key.
        ApiKeyUsed = "api_key_used",
        AccessTokenRotated = "access_token_rotated",
        AccessTokenRevoked = "access_token_revoked",
        WebhookSecretRotated = "webhook_secret_rotated",
        /// A list URL or a webhook ended because the account was recovered.
        ListUrlRevoked = "list_url_revoked",
        WebhookPaused = "webhook_paused",
        DataExported = "data_exported",
        AccountClosed = "account_closed",
    }
}

impl SecurityKind {
    /// Whether the user gets a mail and an event, because it changes who has access. Requests to change the e-mail address have mails of
    /// their own.
    pub fn notifies_user(self) -> bool {
        use SecurityKind::*;
        match self {
            PasswordChanged
            | PasswordReset
            | TwoFactorOn
            | TwoFactorOff
            | RecoveryCodesReplaced
            | RecoveryCodeUsed
            | EmailChanged
            | EmailChangeStopped
            | ApiKeyCreated
            | ApiKeyChanged
            | ApiKeyRevoked
            | AccessTokenRotated
            | AccessTokenRevoked
            | WebhookSecretRotated
            | DataExported => true,
            SignedIn | SignInFailed | CodeRefused | SignedOut | SessionRevoked | EmailChangeRequested
            | ApiKeyRefused | ApiKeyUsed | ListUrlRevoked | WebhookPaused | AccountClosed => false,
        }
    }
}

/// The name of a city and its country in the reader's language: `Berlin, Germany`, 德国 柏林. Either may be empty.
pub fn place_name(city: &str, country: &str, language: Language) -> String {
    match (city.is_empty() || country.is_empty(), language) {
        (true, _) => format!("{city}{country}"),
        (false, Language::En) => format!("{city}, {country}"),
        (false, Language::Zh) => format!("{country} {city}"),
    }
}

/// The name of a device for people, such as `Chrome on Windows`, from the `User-Agent` header; empty if nothing in it is known. The header
/// is not verified, so the name is only a hint.
pub fn device_name(user_agent: &str) -> String {
    // Browsers also name those that they are based on, so the more specific names come first.
    const PROGRAMS: &[(&str, &str)] = &[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("YaBrowser/", "Yandex Browser"),
        ("Vivaldi/", "Vivaldi"),
        ("MicroMessenger/", "WeChat"),
        ("QQBrowser/", "QQ Browser"),
        ("UCBrowser/", "UC Browser"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("CriOS/", "Chrome"),
        ("HeadlessChrome/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
        ("curl/", "curl"),
        ("Wget/", "Wget"),
        ("python-requests/", "Python"),
        ("python-httpx/", "Python"),
        ("Python", "Python"),
        ("aiohttp/", "Python"),
        ("Go-http-client/", "Go"),
        ("node", "Node.js"),
        ("okhttp/", "OkHttp"),
        ("PostmanRuntime/", "Postman"),
    ];
    const SYSTEMS: &[(&str, &str)] = &[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("CrOS", "ChromeOS"),
        ("Windows", "Windows"),
        ("Macintosh", "macOS"),
        ("Linux", "Linux"),
    ];
    let find = |table: &[(&str, &'static str)]| {
        table.iter().find(|(part, _)| user_agent.contains(part)).map(|(_, name)| *name).unwrap_or_default()
    };
    match (find(PROGRAMS), find(SYSTEMS)) {
        ("", system) => system.to_owned(),
        (program, "") => program.to_owned(),
        (program, system) => format!("{program} on {system}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_in_the_readers_language() {
        assert_eq!(place_name("Berlin", "Germany", Language::En), "Berlin, Germany");
        assert_eq!(place_name("柏林", "德国", Language::Zh), "德国 柏林");
        for language in [Language::En, Language::Zh] {
            assert_eq!(place_name("", "DE", language), "DE");
            assert_eq!(place_name("", "", language), "");
        }
    }

    #[test]
    fn a_device_is_named_by_program_and_system() {
        for (user_agent, expected) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0",
                "Edge on Windows",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
                "Chrome on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.15.0", "curl"),
            ("Mozilla/5.0 (Windows NT 10.0)", "Windows"),
            ("somebody", ""),
            ("", ""),
        ] {
            assert_eq!(device_name(user_agent), expected, "{user_agent}");
        }
    }

    #[test]
    fn changes_of_access_are_reported_and_attempts_are_not() {
        assert!(SecurityKind::PasswordChanged.notifies_user() && SecurityKind::ApiKeyCreated.notifies_user());
        assert!(!SecurityKind::SignInFailed.notifies_user() && !SecurityKind::SignedIn.notifies_user());
    }
}
