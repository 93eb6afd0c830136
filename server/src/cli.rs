//! The commands of the `postern` binary.
use crate::config::Config;
use crate::state::App;
use crate::{demo, openapi, startup};
use clap::{Parser, Subcommand};
use std::io::IsTerminal;

/// A self-hosted customer portal for sellers of proxies. Settings come from the environment: see .env.example.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the shop
    Serve,
    /// Bring the database up to date
    Migrate,
    /// Fill an empty shop with demo data and print its accounts
    Demo,
    /// Print the document that describes the API
    Openapi,
    /// Work on the ledger
    Ledger {
        #[command(subcommand)]
        command: LedgerCommand,
    },
}

#[derive(Subcommand)]
enum LedgerCommand {
    /// Prove that every balance equals its entries
    Verify,
}

pub fn run() -> anyhow::Result<()> {
    let cli = Cli::parse();
    start_logging();
    if let Command::Openapi = cli.command {
        println!("{}", openapi::document().to_pretty_json()?);
        return Ok(());
    }
    let config =
        Config::from_env().map_err(|wrong| anyhow::anyhow!("the settings are wrong:\n  {}", wrong.join("\n  ")))?;
    match cli.command {
        Command::Serve => actix_web::rt::System::new().block_on(startup::serve(config)),
        Command::Migrate => App::new(config).map(|_| ()),
        Command::Demo => seed_demo(config),
        Command::Ledger { command: LedgerCommand::Verify } => verify_ledger(config),
        Command::Openapi => Ok(()),
    }
}

fn start_logging() {
    let filter =
        tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info,actix_server=warn".into());
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    if std::io::stderr().is_terminal() { builder.init() } else { builder.json().init() }
}

fn seed_demo(config: Config) -> anyhow::Result<()> {
    let path = config.var_dir.join("demo-accounts.json");
    let app = App::new(config)?;
    if let Some(accounts) = demo::seed(&app).map_err(|error| anyhow::anyhow!("{error}"))? {
        crate::security::write_private(&path, &serde_json::to_string_pretty(&accounts)?)?;
    }
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("The shop has data of its own; no demo accounts were made.");
        return Ok(());
    };
    let accounts: demo::Accounts = serde_json::from_str(&text)?;
    println!("Demo accounts (kept in {}):", path.display());
    for (email, password) in accounts {
        println!("  {email:<22} {password}");
    }
    Ok(())
}

fn verify_ledger(config: Config) -> anyhow::Result<()> {
    let app = App::new(config)?;
    let found = app.db.read_blocking(crate::wallet::ledger::verify).map_err(|error| anyhow::anyhow!("{error}"))?;
    for problem in &found.problems {
        println!("{problem}");
    }
    anyhow::ensure!(found.problems.is_empty(), "the ledger has {} problems", found.problems.len());
    println!("The ledger adds up: {} transactions, {} wallets.", found.transactions, found.wallets);
    Ok(())
}
