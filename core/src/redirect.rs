//! Redirects after sign-in: only to a path of this site, and not back to a sign-in screen.

/// The sign-in screens.
const SIGN_IN: [&str; 3] = ["/login", "/sign-up", "/password-reset"];

/// The path, if it is safe to redirect to; `None` for anything that a browser could resolve to another site, and for the sign-in screens.
pub fn safe_redirect(path: &str) -> Option<&str> {
    let inside = path.starts_with('/') && !path.starts_with("//");
    let harmless = !path.chars().any(|character| character == '\\' || character.is_control());
    let screen = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let leads_on = !SIGN_IN.iter().any(|one| one.eq_ignore_ascii_case(screen));
    (inside && harmless && leads_on && path.len() <= 2_000).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_site_are_accepted() {
        for path in [
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "javascript:alert(1)",
            "",
            "evil",
            "/\t/evil.example",
            "\\\\evil",
        ] {
            assert_eq!(safe_redirect(path), None, "{path}");
        }
        assert_eq!(safe_redirect("/order?OrderId=7#pay"), Some("/order?OrderId=7#pay"));
        assert_eq!(safe_redirect("/login-history"), Some("/login-history"));
    }

    #[test]
    fn sign_in_screens_are_refused() {
        for path in ["/login", "/login/", "/Login?redirect=%2Forder", "/sign-up#x", "/password-reset?reset=abc"] {
            assert_eq!(safe_redirect(path), None, "{path}");
        }
    }
}
