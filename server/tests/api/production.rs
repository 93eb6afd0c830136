//! What production refuses.
use crate::shop::Shop;
use postern_server::config::{Config, Environment};
use postern_server::demo;

#[actix_web::test]
async fn production_refuses_a_database_with_demo_accounts() {
    let shop = Shop::open();
    let in_production = || {
        let config = Config { environment: Environment::Production, ..(*shop.app.config).clone() };
        postern_server::app::open(config).err().map(|error| error.to_string())
    };
    assert_eq!(in_production(), None, "an empty database is fine");
    let app = shop.app.clone();
    let seeded = std::thread::spawn(move || demo::seed(&app)).join().expect("a thread").expect("demo data");
    assert!(seeded.is_some_and(|seeded| seeded.accounts.contains_key("operator@example.com")));
    let refusal = in_production().expect("a refusal");
    assert!(refusal.contains("demo accounts") && refusal.contains("set DATABASE_URL"), "{refusal}");
    assert!(postern_server::app::open((*shop.app.config).clone()).is_ok(), "for development it is what it was");
}
