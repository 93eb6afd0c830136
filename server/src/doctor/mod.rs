//! Examines a shop and changes nothing: `postern doctor`, also for one that cannot be opened, and the operator's screen for one that runs.
mod address;
mod addresses;
mod asking;
mod database;
mod files;
pub mod finding;
mod mail;
mod queries;
pub mod routes;
mod secrets;
mod servers;
mod settings;
mod shop;
mod types;

use crate::clock::Clock;
use crate::config::{Config, named};
use crate::db::Conn;
use crate::doctor::finding::Finding;
use crate::error::AppError;
use crate::settings::shared::joined;
use crate::tls;
use clap::Args;
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};
use std::collections::HashMap;

#[derive(Args)]
pub struct DoctorArguments {
    /// Send one test mail to this address
    #[arg(long, value_name = "ADDRESS")]
    mail_to: Option<String>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command. The process ends with 1 if there is a fault.
pub fn run(arguments: &DoctorArguments) -> anyhow::Result<()> {
    let found = examine(&std::env::vars().collect(), &Clock::default(), arguments.mail_to.as_deref());
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&found.iter().map(finding::told).collect::<Vec<_>>())?);
    } else {
        finding::lines(&found).iter().for_each(|line| println!("{line}"));
    }
    if found.iter().any(|finding| finding.severity == Severity::Fault) {
        std::process::exit(1);
    }
    Ok(())
}

/// Examines the shop of these settings. What cannot be examined because of a fault is left out: the fault is what to correct first.
pub fn examine(variables: &HashMap<String, String>, clock: &Clock, mail_to: Option<&str>) -> Vec<Finding> {
    tls::prepare();
    let (own, wrong) = Config::read_with_problems(variables);
    let is_usable = |name: &str| wrong.iter().all(|problem| named(problem) != Some(name));
    let mut found = settings::problems(&wrong);
    let database = if is_usable("DATABASE_URL") {
        in_database(&own, clock, is_usable("POSTERN_SECRET_KEY"))
    } else {
        Examined::default()
    };
    // What the environment leaves unset is the shop's.
    let config = database.joined.clone().unwrap_or(own);
    found.extend(of_settings(&config, database, &is_usable, mail_to));
    let secrets = secrets::secrets(variables);
    found.iter_mut().for_each(|finding| secrets::cover(finding, &secrets));
    found
}

/// Examines the shop whose server this is, from its settings in memory.
pub fn examine_running(config: &Config, clock: &Clock) -> Vec<Finding> {
    let mut found = of_settings(config, in_database(config, clock, true), &|_| true, None);
    let secrets = secrets::secrets_of(config);
    found.iter_mut().for_each(|finding| secrets::cover(finding, &secrets));
    found
}

/// What follows from settings, of which some may be too wrong to be used.
fn of_settings(
    config: &Config,
    database: Examined,
    is_usable: &dyn Fn(&str) -> bool,
    mail_to: Option<&str>,
) -> Vec<Finding> {
    let mut found = database.about_settings;
    if is_usable("POSTERN_PUBLIC_URL") {
        found.extend(settings::public_url(config));
    }
    found.extend(settings::examples(config));
    found.extend(settings::seller(config));
    found.extend(settings::trusted_proxies(config));
    found.extend(files::checks(config));
    found.extend(database.found);
    if is_usable("POSTERN_STRIPE_SECRET_KEY") {
        found.extend(shop::payments(config));
    }
    if is_usable("POSTERN_PUBLIC_URL") {
        found.extend(address::check(config));
    }
    if is_usable("POSTERN_SMTP_URL") && is_usable("POSTERN_MAIL_FROM") {
        found.extend(mail::server(config, mail_to));
    }
    found.extend(database.of_running_shop);
    found
}

/// What the database tells.
#[derive(Default)]
struct Examined {
    /// The settings with those of the shop.
    joined: Option<Config>,
    about_settings: Vec<Finding>,
    found: Vec<Finding>,
    of_running_shop: Vec<Finding>,
}

fn in_database(own: &Config, clock: &Clock, has_usable_key: bool) -> Examined {
    let mut examined = Examined::default();
    let mut conn = match database::open(own) {
        Ok(conn) => conn,
        Err(fault) => return Examined { found: vec![fault], ..examined },
    };
    let conn = &mut conn;
    examined.found.extend(asked(ShopCheck::Database, database::server(conn, own, || clock.now())));
    let is_current = match database::schema(conn) {
        Ok((is_current, found)) => {
            examined.found.extend(found);
            is_current
        }
        Err(error) => {
            examined.found.extend(asked(ShopCheck::Migrations, Err(error)));
            false
        }
    };
    if !is_current {
        return examined;
    }
    match joined(conn, own) {
        Ok(Ok(config)) => {
            examined.about_settings = settings::differences(&[]);
            examined.joined = Some(config);
        }
        Ok(Err(differences)) => examined.about_settings = settings::differences(&differences),
        Err(error) => examined.about_settings = asked(ShopCheck::SharedSettings, Err(error)),
    }
    let config = examined.joined.clone().unwrap_or_else(|| own.clone());
    if has_usable_key {
        examined.found.extend(asked(ShopCheck::SecretKey, database::key(conn, &config)));
    }
    examined.found.extend(asked(ShopCheck::DemoData, shop::demo_data(conn, &config)));
    examined.found.extend(asked(ShopCheck::Operators, shop::operators(conn)));
    examined.found.extend(asked(ShopCheck::Stock, shop::sold(conn)));
    examined.found.extend(asked(ShopCheck::Payments, shop::exchange_rates(conn, &config, clock.now())));
    examined.of_running_shop = running(conn, &config, clock);
    examined
}

fn running(conn: &mut Conn, config: &Config, clock: &Clock) -> Vec<Finding> {
    let now = clock.now();
    let mut found = asked(ShopCheck::MailQueue, mail::queue(conn, now));
    found.extend(asked(ShopCheck::ProxyServers, servers::proxy_servers(conn)));
    found.extend(asked(ShopCheck::Jobs, servers::jobs(conn, config, now)));
    found.extend(asked(ShopCheck::Backups, shop::backups(conn, config, now)));
    found.extend(asked(ShopCheck::Alarms, servers::alarms(conn)));
    found
}

/// The findings, or the fault that the database did not tell.
fn asked(check: ShopCheck, result: Result<Vec<Finding>, AppError>) -> Vec<Finding> {
    result.unwrap_or_else(|error| vec![Finding::fault(check, Diagnosis::DatabaseSilent).with("Cause", error)])
}
