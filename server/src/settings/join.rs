//! Joins the environment of a server with the settings of its shop (0028): what the environment leaves unset is the shop's, and what differs is refused.
use crate::config::shared::{ENVIRONMENT, Values};
use crate::config::{Config, own_check_url};
use std::collections::HashMap;

/// The settings of a server in this shop, or a line per setting that differs.
pub fn join(config: &Config, stored: &Values) -> Result<Config, Vec<String>> {
    let wrong = differences(config, stored);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let all: HashMap<String, String> = stored.clone().into_iter().chain(config.shared.clone()).collect();
    let (shop, mut joined) = (Config::read(&all)?, config.clone());
    for name in stored.keys().filter(|name| !config.shared.contains_key(*name)) {
        take(name, &mut joined, &shop);
    }
    Ok(joined)
}

fn differences(config: &Config, stored: &Values) -> Vec<String> {
    let difference = |(name, shops): (&String, &String)| match config.shared.get(name) {
        Some(own) if own != shops => Some(format!("{name} is `{own}`, but the shop's is `{shops}`")),
        // Which settings are valid depends on it, so it is never taken from the shop.
        None if name == ENVIRONMENT => Some(format!("{name} is `development`, but the shop's is `{shops}`")),
        _ => None,
    };
    stored.iter().filter_map(difference).collect()
}

/// Takes a setting, and those that follow from it, from the shop's.
fn take(name: &str, to: &mut Config, shop: &Config) {
    let shop = shop.clone();
    match name {
        "POSTERN_PUBLIC_URL" => {
            if to.check_url == own_check_url(&to.public_url) {
                to.check_url = own_check_url(&shop.public_url);
            }
            to.public_url = shop.public_url;
        }
        "POSTERN_SHOP_NAME" => (to.shop_name, to.seller_name) = (shop.shop_name, shop.seller_name),
        "POSTERN_BRAND_COLOUR" => to.brand_colour = shop.brand_colour,
        "POSTERN_TAGLINE" => (to.tagline_en, to.tagline_zh) = (shop.tagline_en, shop.tagline_zh),
        "POSTERN_TAGLINE_ZH" => to.tagline_zh = shop.tagline_zh,
        "POSTERN_HELP_CENTER_URL" => to.help_center_url = shop.help_center_url,
        "POSTERN_TERMS_URL" => to.terms_url = shop.terms_url,
        "POSTERN_SUPPORT_EMAIL" => to.support_email = shop.support_email,
        "POSTERN_CHAT_SCRIPT_URL" => to.chat_script_url = shop.chat_script_url,
        "POSTERN_SELLER_NAME" => to.seller_name = shop.seller_name,
        "POSTERN_SELLER_ADDRESS" => to.seller_address = shop.seller_address,
        "POSTERN_SELLER_TAX_NUMBER" => to.seller_tax_number = shop.seller_tax_number,
        "POSTERN_MAIL_FROM" => to.mail_from = shop.mail_from,
        "POSTERN_USAGE_DAYS" => to.usage_days = shop.usage_days,
        "POSTERN_TRANSFER_DETAILS" => to.transfer_details = shop.transfer_details,
        "POSTERN_WHEN_OWED" => to.when_owed = shop.when_owed,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::shared::SHARED;

    fn read(pairs: &[(&str, &str)]) -> Config {
        Config::read(&pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
            .expect("a config")
    }

    const ACME: [(&str, &str); 4] = [
        ("POSTERN_SHOP_NAME", "Acme"),
        ("POSTERN_SELLER_ADDRESS", "1 Harbour Road | Cork"),
        ("POSTERN_TAGLINE", "Fast"),
        ("POSTERN_USAGE_DAYS", "400"),
    ];

    #[test]
    fn what_is_unset_is_the_shops_and_what_differs_is_refused() {
        let stored = read(&ACME).shared;
        let joined = join(&read(&[("PORT", "9000")]), &stored).expect("a config");
        assert_eq!((joined.shop_name.as_str(), joined.seller_name.as_str(), joined.port), ("Acme", "Acme", 9000));
        assert_eq!((joined.tagline_zh.as_str(), joined.usage_days), ("Fast", 400));
        assert_eq!((joined.seller_address.len(), joined.public_url.as_str()), (2, "http://127.0.0.1:9000"));
        let joined = join(&read(&[("POSTERN_SELLER_NAME", "Acme Ltd")]), &stored).expect("a config");
        assert_eq!((joined.shop_name.as_str(), joined.seller_name.as_str()), ("Acme", "Acme Ltd"));
        assert!(join(&read(&[("POSTERN_SELLER_ADDRESS", "1 Harbour Road|Cork |")]), &stored).is_ok(), "the same lines");
        let wrong =
            join(&read(&[("POSTERN_SHOP_NAME", "Beta"), ("POSTERN_USAGE_DAYS", "62")]), &stored).expect_err("two");
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].contains("POSTERN_SHOP_NAME is `Beta`, but the shop's is `Acme`"), "{wrong:?}");
    }

    #[test]
    fn a_shop_in_production_has_no_development_server() {
        let production = [("POSTERN_ENV", "production"), ("POSTERN_PUBLIC_URL", "https://shop.example/")];
        let stored = read(&production).shared;
        assert!(join(&read(&production), &stored).is_ok());
        let wrong = join(&read(&[]), &stored).expect_err("a refusal");
        assert!(wrong.len() == 1 && wrong[0].contains("POSTERN_ENV is `development`"), "{wrong:?}");
        assert!(join(&read(&production), &Values::new()).is_ok(), "a development shop may go into production");
    }

    #[test]
    fn every_shared_setting_is_taken_from_the_shop() {
        let own = read(&[]);
        for name in SHARED.iter().filter(|name| **name != ENVIRONMENT) {
            let value = match *name {
                "POSTERN_PUBLIC_URL" | "POSTERN_HELP_CENTER_URL" | "POSTERN_TERMS_URL" | "POSTERN_CHAT_SCRIPT_URL" => {
                    "http://acme.example"
                }
                "POSTERN_BRAND_COLOUR" => "#00a651",
                "POSTERN_USAGE_DAYS" => "400",
                "POSTERN_WHEN_OWED" => "keep",
                _ => "acme@acme.example",
            };
            let shop = read(&[(name, value)]);
            let joined = join(&own, &shop.shared).expect("a config");
            let same = |config: &Config| format!("{:?}", Config { shared: Values::new(), ..config.clone() });
            assert_eq!(same(&joined), same(&shop), "{name}");
            assert_ne!(same(&joined), same(&own), "{name}");
        }
    }
}
