//! The command `postern ledger`.
use crate::config::Config;
use crate::db::file_problems;
use crate::wallet::verify::{self, Verification};
use anyhow::ensure;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum LedgerCommand {
    /// Check the database's file, and that wallets, orders, refunds and invoices agree with the ledger
    Verify,
}

/// Checks the file before the shop is opened, because opening may write to it.
pub fn verify_ledger(config: Config) -> anyhow::Result<()> {
    let damages = file_problems(&config.database_url);
    for damage in &damages {
        println!("the database file is damaged: {damage}");
    }
    ensure!(
        damages.is_empty(),
        "the database file is damaged: restore a backup, with its -wal file if it has one, and without that of another"
    );
    let app = crate::app::open(config)?;
    let found = app.db.snapshot_blocking(verify::verify)?;
    report(&found)
}

fn report(found: &Verification) -> anyhow::Result<()> {
    for problem in &found.problems {
        println!("{problem}");
    }
    ensure!(found.problem_count == 0, "the books have {} problems", found.problem_count);
    println!(
        "The ledger adds up: {} transactions, {} wallets, {} payments, {} orders, {} invoices and credit notes.",
        found.transactions, found.wallets, found.payments, found.orders, found.invoices
    );
    Ok(())
}
