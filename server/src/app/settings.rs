//! The command `postern settings`.
use crate::app::open::open_database;
use crate::audit::{self, Actor, Entry};
use crate::clock::Clock;
use crate::config::Config;
use crate::error::AppError;
use crate::settings::shared::{adopt, stored};
use clap::Subcommand;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use std::collections::BTreeSet;

#[derive(Subcommand)]
pub enum SettingsCommand {
    /// Show the settings that all servers of the shop share, and where this environment differs
    Show,
    /// Make the settings of this environment the shop's, also those it leaves unset; without --yes, only show what would change
    Adopt {
        #[arg(long)]
        yes: bool,
    },
}

/// Runs the command and returns what it says. It works in an environment that `open` refuses.
pub fn run_settings_command(config: &Config, command: &SettingsCommand) -> anyhow::Result<Vec<String>> {
    let db = open_database(config)?;
    let failed = |error: AppError| anyhow::anyhow!("the shop's settings: {error}");
    let shops = db.read_blocking(stored).map_err(failed)?;
    let value = |value: Option<&String>| value.map_or("unset".to_owned(), |value| format!("`{value}`"));
    let mut lines = Vec::new();
    match command {
        SettingsCommand::Show => {
            let own = |name: &String| config.shared.get(name).filter(|own| Some(*own) != shops.get(name));
            for (name, shops) in &shops {
                let differs = own(name).map(|own| format!(" (here: `{own}`)")).unwrap_or_default();
                lines.push(format!("{name:<28} `{shops}`{differs}"));
            }
            for (name, own) in config.shared.iter().filter(|(name, _)| !shops.contains_key(*name)) {
                lines.push(format!("{name:<28} unset (here: `{own}`)"));
            }
        }
        SettingsCommand::Adopt { yes } => {
            let names: BTreeSet<&String> = shops.keys().chain(config.shared.keys()).collect();
            let mut changes = Vec::new();
            for name in names.into_iter().filter(|name| shops.get(*name) != config.shared.get(*name)) {
                let change = |of: Option<&String>| of.map(|value| format!("{name}={value}"));
                let (before, after) = (change(shops.get(name)), change(config.shared.get(name)));
                changes.push(AuditChange { field: AuditField::Value, before, after });
                lines.push(format!("{name}: {} becomes {}", value(shops.get(name)), value(config.shared.get(name))));
            }
            if *yes {
                db.write_blocking(|conn| {
                    adopt(conn, config)?;
                    let entry = Entry::new(AuditAction::SettingsAdopted).changes(changes.clone());
                    audit::record(conn, &Actor::command(), entry, Clock::default().now())
                })
                .map_err(failed)?;
                lines.push("The shop has these settings now. Restart all servers.".to_owned());
            } else {
                lines.push("Nothing was changed. Run again with --yes to change these settings.".to_owned());
            }
        }
    }
    Ok(lines)
}
