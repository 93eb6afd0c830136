//! One thing has one word in each language, wherever it is named.
use serde_json::Value;

fn file(language: &str, name: &str) -> Value {
    let path = format!("{}/../locales/{language}/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text of a key such as `nav:replaced`.
fn text(language: &str, key: &str) -> String {
    let (name, path) = key.split_once(':').expect("a file and a key");
    let found = path.split('.').fold(file(language, name), |value, part| value[part].clone());
    found.as_str().unwrap_or_else(|| panic!("{language} has no {key}")).to_owned()
}

#[test]
fn one_thing_has_one_word() {
    const SAME: &[&[&str]] = &[
        // A screen is called in the menu as in its title.
        &["nav:replaced", "static_residential_proxies:replaced.title"],
        &["nav:password", "account:security.title"],
        &["nav:welcome", "welcome:title"],
        &["nav:users", "proxy_users:title"],
        &["nav:endpoint-generator", "generator:title"],
        &["nav:orders", "orders:title"],
        // What can be used now.
        &[
            "static_residential_proxies:nodeState.assigned",
            "welcome:products.active",
            "welcome:proxies.state.active",
            "proxy_users:state.active",
            "generator:state.active",
            "accounts:states.active",
        ],
        &["proxy_users:state.expired", "generator:state.expired"],
        // The state of an order, and the event that led to it.
        &["orders:state.fulfilled", "orders:event.fulfilled"],
        &["orders:state.partly_fulfilled", "orders:event.partly_fulfilled"],
        &["orders:state.paid", "orders:event.paid", "orders:payment.succeeded"],
        &["common:listPrice", "static_residential_proxies:pricing.sum"],
        &["billing:wallet.expenses", "accounts:spent", "support:operator.spent"],
        &["static_residential_proxies:setup.whitelist", "proxy_users:addresses.list", "generator:settings.byWhitelist"],
        &["proxy_users:action.generate", "search:action.generate", "welcome:quick.endpoints"],
    ];
    for keys in SAME {
        for language in ["en", "zh"] {
            let texts: Vec<_> = keys.iter().map(|key| text(language, key)).collect();
            assert!(texts.iter().all(|text| *text == texts[0]), "{language}: {keys:?} are {texts:?}");
        }
    }
}

#[test]
fn words_that_mean_something_else_are_not_used() {
    // A proxy is 代理; the literal 端点 is only found by the search. Before tax is no amount after discounts.
    for entry in std::fs::read_dir(format!("{}/../locales/zh", env!("CARGO_MANIFEST_DIR"))).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a file");
        let words = text.lines().filter(|line| line.contains("端点") && !path.ends_with("search.json"));
        assert_eq!(words.collect::<Vec<_>>(), Vec::<&str>::new(), "{}", path.display());
    }
    assert!(!text("en", "invoices:pdf.net").contains("Net"));
    assert!(!text("zh", "invoices:pdf.net").contains("净额"));
    assert_ne!(text("zh", "nav:welcome"), "欢迎");
}
