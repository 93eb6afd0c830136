//! Where sign-in may lead: only to a path of this site.

/// The path, if following it stays on this site; `None` for anything that a browser could read as another site's.
pub fn safe_redirect(path: &str) -> Option<&str> {
    let inside = path.starts_with('/') && !path.starts_with("//");
    let harmless = !path.chars().any(|character| character == '\\' || character.is_control());
    (inside && harmless && path.len() <= 2_000).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_paths_pass() {
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
    }
}
