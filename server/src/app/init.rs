//! The command `postern init`: opens a new shop. It may run again: what is there stays.
pub mod operator;
mod questions;
pub mod setting;
pub mod settings_file;

use crate::app::init::operator::{Made, make_operator};
use crate::app::init::setting::{OPERATOR, Plan};
use crate::app::init::settings_file::{Present, present, refusal, write};
use crate::app::refusal::refusal as refused;
use crate::brand::fonts::Fonts;
use crate::config::folders::Folders;
use crate::config::{Config, VARIABLES};
use crate::db::{shown_url, sqlite_path};
use crate::doctor;
use crate::doctor::finding::lines_of;
use crate::texts::Texts;
use clap::Args;
use postern_core::account::RESET_LINK_MINUTES;
use postern_core::diagnosis::Severity;
use postern_core::sign_in::EmailAddress;
use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Settings come from flags, then from the environment; on a terminal, questions ask for the rest.
#[derive(Args, Default)]
pub struct InitArguments {
    #[arg(long, value_name = "NAME")]
    pub shop_name: Option<String>,
    /// Address that customers open, such as https://shop.your.domain
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// sqlite:FILE or postgres://user:password@host/database; without it, a file in POSTERN_VAR_DIR
    #[arg(long, value_name = "URL")]
    pub database_url: Option<String>,
    /// E-mail address of the first operator
    #[arg(long, value_name = "ADDRESS")]
    pub operator: Option<String>,
    /// The seller on invoices
    #[arg(long, value_name = "NAME")]
    pub seller_name: Option<String>,
    /// The seller's address on invoices, its lines separated by |
    #[arg(long, value_name = "LINES")]
    pub seller_address: Option<String>,
    #[arg(long, value_name = "ADDRESS")]
    pub support_email: Option<String>,
    /// Mail server: smtps://user:password@host:port
    #[arg(long, value_name = "URL")]
    pub smtp_url: Option<String>,
    /// Sender of mails, such as "Shop <noreply@your.domain>"
    #[arg(long, value_name = "SENDER")]
    pub mail_from: Option<String>,
    /// Settings file to write
    #[arg(long, default_value = "postern.env")]
    pub file: PathBuf,
    /// Replace a settings file with other settings
    #[arg(long)]
    pub force: bool,
}

/// The settings that name files and folders, with their defaults. They are written in full, so that the file means the same from everywhere.
fn paths() -> [(&'static str, String); 4] {
    let Folders { web, locales, fonts } = Folders::shipped();
    [
        ("POSTERN_VAR_DIR", "var".to_owned()),
        ("POSTERN_WEB_DIR", web),
        ("POSTERN_LOCALES_DIR", locales),
        ("POSTERN_FONTS_DIR", fonts),
    ]
}

/// Runs the command and returns what it says.
pub fn run(arguments: &InitArguments) -> anyhow::Result<Vec<String>> {
    let mut plan = plan(arguments, &std::env::vars().collect())?;
    if std::io::stdin().is_terminal() {
        questions::ask(&mut plan, &mut std::io::stdin().lock(), &mut std::io::stderr())?;
        plan.complete_paths()?;
    }
    open_shop(&plan)
}

/// The shop of these flags and this environment. A new shop is in production unless the environment says otherwise.
pub fn plan(arguments: &InitArguments, environment: &HashMap<String, String>) -> anyhow::Result<Plan> {
    let mut plan = Plan { file: arguments.file.clone(), force: arguments.force, ..Plan::default() };
    plan.set("POSTERN_ENV", "production");
    for (name, _) in VARIABLES {
        if let Some(value) = environment.get(*name).filter(|value| !value.trim().is_empty() || *name == "DATABASE_URL")
        {
            plan.set(name, value);
        }
    }
    let flags = [
        ("POSTERN_SHOP_NAME", &arguments.shop_name),
        ("POSTERN_PUBLIC_URL", &arguments.public_url),
        ("DATABASE_URL", &arguments.database_url),
        (OPERATOR, &arguments.operator),
        ("POSTERN_SELLER_NAME", &arguments.seller_name),
        ("POSTERN_SELLER_ADDRESS", &arguments.seller_address),
        ("POSTERN_SUPPORT_EMAIL", &arguments.support_email),
        ("POSTERN_SMTP_URL", &arguments.smtp_url),
        ("POSTERN_MAIL_FROM", &arguments.mail_from),
    ];
    for (name, value) in flags {
        if let Some(value) = value {
            plan.set(name, value);
        }
    }
    plan.complete_paths()?;
    Ok(plan)
}

impl Plan {
    /// Writes out relative paths.
    fn complete_paths(&mut self) -> anyhow::Result<()> {
        for (name, default) in paths() {
            let path = self.variables.get(name).cloned().unwrap_or(default);
            self.set(name, &complete(&path)?);
        }
        for name in ["POSTERN_LOGO_FILE", "POSTERN_GEOIP_FILE"] {
            if let Some(path) = self.variables.get(name).cloned() {
                self.set(name, &complete(&path)?);
            }
        }
        let url = self.variables.get("DATABASE_URL").cloned().unwrap_or_default();
        if let Some(path) = sqlite_path(&url).filter(|path| !path.is_empty() && *path != ":memory:") {
            self.set("DATABASE_URL", &format!("sqlite:{}", complete(path)?));
        }
        Ok(())
    }
}

fn complete(path: &str) -> anyhow::Result<String> {
    Ok(std::path::absolute(path)?.display().to_string())
}

/// Opens the shop and returns what was done, and what is still missing. If anything is wrong, nothing is written.
pub fn open_shop(plan: &Plan) -> anyhow::Result<Vec<String>> {
    let (config, email, there) = checked(plan)?;
    let had_database = sqlite_path(&config.database_url).is_none_or(|path| Path::new(path).exists());
    let app = crate::app::open(config)?;
    let mut lines = Vec::new();
    let file = plan.file.display();
    if there == Present::Same {
        lines.push(format!("Settings: {file} was there already, with these settings."));
    } else {
        write(&plan.file, &plan.variables)?;
        lines.push(format!("Settings: {file} was written; only its owner can read it."));
    }
    let opened = if had_database { "is ready" } else { "was created" };
    lines.push(format!("Database: {} {opened}.", shown_url(&app.config.database_url)));
    let now = app.clock.now();
    let made = app.db.write_blocking(|conn| make_operator(conn, email.as_str(), now));
    lines.extend(told(&made.map_err(|error| refused(&app, &error))?, email.as_str(), &app.config.public_url));
    let mut missing = doctor::examine(&plan.variables, &app.clock, None);
    missing.retain(|finding| finding.severity != Severity::Ok);
    if !missing.is_empty() {
        lines.extend([String::new(), "Still missing:".to_owned()]);
        lines.extend(lines_of(&missing));
    }
    lines.push(String::new());
    lines.push(format!("Start the shop: set -a; . {}; set +a; postern serve", sourced(&plan.file)));
    lines.push("Then, in the same environment, examine it again: postern doctor".to_owned());
    Ok(lines)
}

/// The valid plan, with what the file says of it; or all that is wrong.
fn checked(plan: &Plan) -> anyhow::Result<(Config, EmailAddress, Present)> {
    let (config, mut wrong) = Config::read_with_problems(&plan.variables);
    let mut values: Vec<(&String, &String)> = plan.variables.iter().collect();
    values.sort();
    wrong.extend(values.iter().filter_map(|(name, value)| refusal(name, value)));
    let files = [
        ("POSTERN_LOCALES_DIR", Texts::load(&config.locales_dir).err()),
        ("POSTERN_FONTS_DIR", Fonts::open(&config.fonts_dir).err()),
    ];
    wrong.extend(files.into_iter().filter_map(|(name, error)| Some(format!("{name}: {:#}", error?))));
    let email = EmailAddress::parse(&plan.operator);
    if email.is_none() {
        wrong.push(match plan.operator.as_str() {
            "" => "--operator is required: the e-mail address of the first operator".to_owned(),
            other => format!("--operator is `{other}`, which is not an e-mail address"),
        });
    }
    let there = present(&plan.file, &plan.variables)?;
    if let (Present::Other(names), false) = (&there, plan.force) {
        wrong.push(format!(
            "{} exists and differs in {}: use --force to replace it, or --file for another one",
            plan.file.display(),
            names.join(", ")
        ));
    }
    match email.filter(|_| wrong.is_empty()) {
        Some(email) => Ok((config, email, there)),
        None => anyhow::bail!("nothing was written:\n  {}", wrong.join("\n  ")),
    }
}

fn told(made: &Made, email: &str, public_url: &str) -> Vec<String> {
    let what = match made {
        Made { is_new_account: true, .. } => "was created",
        Made { was_operator: true, .. } => "was an operator already",
        Made { .. } => "had an account, which is an operator now",
    };
    let mut lines = vec![format!("Operator: {email} {what}.")];
    if let Some(token) = &made.reset_token {
        lines.push(format!(
            "  Choose the password with this link, once, within {RESET_LINK_MINUTES} minutes, after the server has started (run `postern init` again for a new link):"
        ));
        lines.push(format!("  {public_url}/password-reset?reset={token}"));
    }
    lines
}

/// A path that a shell's `.` does not look for in PATH, quoted if it has to be.
fn sourced(file: &Path) -> String {
    let shown = file.display().to_string();
    let path = if shown.contains('/') { shown } else { format!("./{shown}") };
    let is_plain = path.chars().all(|character| character.is_alphanumeric() || "_-./".contains(character));
    if is_plain { path } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
