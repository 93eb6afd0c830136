//! The commands of the `postern` binary.
use crate::app::accounts::{AccountCommand, work_on_account};
use crate::app::ledger::{LedgerCommand, verify_ledger};
use crate::app::prices::{PricesCommand, run_prices_command};
use crate::app::refusal::refusal;
use crate::app::secret_key::{SecretKeyCommand, run_secret_key_command};
use crate::app::settings::{SettingsCommand, run_settings_command};
use crate::app::{backup, init, openapi, output, probe, startup};
use crate::audit::Actor;
use crate::config::{Config, DEFAULT_PORT};
use crate::db::known_migrations;
use crate::doctor;
use crate::error::AppError;
use crate::inventory::{self, Source, in_words};
use crate::order_rows::limits;
use crate::orders;
use crate::payments::transfers::{self, SettlePayment};
use crate::proxy_servers::{self, ProxyServerCommand};
use crate::referrals::cli::{self as referrals, ReferralsCommand};
use crate::refunds::execute as refunds;
use crate::refunds::types::RefundOrder;
use crate::security::write_private;
use crate::state::App;
use crate::traces::Traces;
use crate::{coupons, demo, files, memory};
use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, Parser, Subcommand};
use postern_core::money::Money;
use postern_core::operator_forms::CouponForm;
use postern_core::staff::StaffRole;
use postern_core::unpaid::{Limit, LimitForm, validate_limit};
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::LazyLock;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// A self-hosted customer portal for sellers of proxies. Settings come from the environment: see .env.example.
#[derive(Parser)]
#[command(name = "postern", version = VERSION.as_str())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the shop
    Serve,
    /// Open a new shop: write its settings file, prepare its database, and create its first operator
    Init(init::InitArguments),
    /// Migrate the database to the current schema
    Migrate,
    /// Fill an empty shop with demo data and print its accounts
    Demo,
    /// Ask the server on this machine whether it is ready; ends with 1 if it is not
    Healthcheck,
    /// Print the API's OpenAPI document
    Openapi,
    /// Examine the shop and say what to do about each fault; changes nothing, and ends with 1 if there is a fault
    Doctor(doctor::DoctorArguments),
    /// Write the database, the secret key and the settings into one file, while the shop is running
    Backup(backup::BackupArguments),
    /// Restore a backup into an empty shop, or only check it
    Restore(backup::RestoreArguments),
    /// Import, export and retire nodes
    Inventory {
        #[command(subcommand)]
        command: InventoryCommand,
    },
    /// Add, list and end coupons
    Coupon {
        #[command(subcommand)]
        command: CouponCommand,
    },
    /// Show, refund and settle orders
    Order {
        #[command(subcommand)]
        command: OrderCommand,
    },
    /// Show, appoint, suspend and resume accounts, and change their discount
    #[command(visible_alias = "user")]
    Account {
        #[command(subcommand)]
        command: AccountCommand,
    },
    /// Show and change the limits on an account's unpaid IPs, orders, top-ups and card requests
    Limits {
        #[command(subcommand)]
        command: LimitsCommand,
    },
    /// Show and change the shop's prices
    Prices {
        #[command(subcommand)]
        command: PricesCommand,
    },
    /// Register, list, rotate and remove proxy servers, and say which IPs each carries
    ProxyServer {
        #[command(subcommand)]
        command: ProxyServerCommand,
    },
    /// Show and add commission rules for referrals
    Referrals {
        #[command(subcommand)]
        command: ReferralsCommand,
    },
    /// Show and change the settings that all servers of the shop share
    Settings {
        #[command(subcommand)]
        command: SettingsCommand,
    },
    /// Replace a lost secret key
    SecretKey {
        #[command(subcommand)]
        command: SecretKeyCommand,
    },
    /// Verify the ledger
    Ledger {
        #[command(subcommand)]
        command: LedgerCommand,
    },
}

#[derive(Subcommand)]
enum InventoryCommand {
    /// Import the nodes of a CSV file: all of them, or none if a line is invalid
    Import {
        file: PathBuf,
        /// Only list the errors, each with its line number
        #[arg(long)]
        dry_run: bool,
    },
    /// Export all nodes as CSV, to a file or to standard output
    Export { file: Option<PathBuf> },
    /// Take nodes off sale permanently, by address; nodes that customers own are kept
    Retire {
        #[arg(required = true)]
        addresses: Vec<String>,
    },
}

#[derive(Subcommand)]
enum CouponCommand {
    /// Add a coupon with a percentage or an amount off an order
    Add {
        code: String,
        /// For example 15 or 12.5
        #[arg(long, default_value = "", hide_default_value = true)]
        percent: String,
        /// For example 5 or 5.00
        #[arg(long, default_value = "", hide_default_value = true)]
        amount: String,
        /// Minimum order amount, after other discounts
        #[arg(long, default_value = "", hide_default_value = true)]
        minimum: String,
        /// Restrict to a product by its VerStr, including that of residential traffic; repeatable
        #[arg(long = "product", value_name = "VERSTR")]
        products: Vec<String>,
        /// Maximum number of orders per account
        #[arg(long, default_value = "", hide_default_value = true)]
        uses_per_account: String,
        /// Maximum number of orders of all accounts together
        #[arg(long, default_value = "", hide_default_value = true)]
        total_uses: String,
        /// Only for accounts that have paid no order yet
        #[arg(long)]
        first_order_only: bool,
        /// YYYY-MM-DD HH:mm:ss in UTC
        #[arg(long = "from", default_value = "", hide_default_value = true)]
        valid_from: String,
        /// YYYY-MM-DD HH:mm:ss in UTC, exclusive
        #[arg(long = "until", default_value = "", hide_default_value = true)]
        valid_until: String,
    },
    /// List all coupons
    List,
    /// End a coupon now; orders that already use it keep it
    End { code: String },
}

#[derive(Subcommand)]
enum OrderCommand {
    /// Show an order with its payments, refunds and documents
    Show { order_number: String },
    /// Refund an order's unused time, which ends its nodes, its unused traffic, or an amount; without --yes, only show a preview
    Refund {
        order_number: String,
        /// Reason shown to the customer and on the credit note
        #[arg(long)]
        reason: String,
        /// Amount to refund instead of what is unused
        #[arg(long)]
        amount: Option<String>,
        /// Only these nodes
        #[arg(long = "node")]
        node_ids: Vec<i64>,
        /// Back to where the money came from, and not to the wallet
        #[arg(long)]
        to_source: bool,
        /// Execute the refund
        #[arg(long)]
        yes: bool,
    },
    /// Record that a bank transfer has arrived: credits the top-up to the customer's wallet
    Settle {
        /// Payment id, or the order number that the customer put on the transfer
        #[arg(allow_hyphen_values = true)]
        payment: String,
        /// Amount received, for example 100.00; must equal the amount due
        #[arg(long)]
        amount: String,
        /// Credit the amount received, although it is less or more than the amount due
        #[arg(long)]
        accept_difference: bool,
    },
}

#[derive(Subcommand)]
enum LimitsCommand {
    /// Show the limits
    Show,
    /// Change how many unpaid orders, open top-ups or open card requests an account may have, what support may refund of an order, or how many
    /// changes an operator may make in one view as a customer
    Set {
        #[arg(value_parser = PossibleValuesParser::new(Limit::ALL.iter().map(|limit| limit.as_str())))]
        limit: String,
        /// From 1 to 10,000; `view_changes` may be 0
        most: String,
    },
    /// Change how many IPs an account's unpaid orders may hold
    Hold {
        /// Applies to accounts with at least this much in wallet and paid orders together, for example 50.00; 0 for all
        #[arg(long)]
        from: String,
        /// Maximum number of IPs; omit to remove the step
        #[arg(long, value_parser = clap::value_parser!(i32).range(1..=1_000_000))]
        ips: Option<i32>,
    },
}

/// The version, the commit of a release, and the newest schema that it knows.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let schema = known_migrations(true).ok().and_then(|versions| versions.into_iter().max()).unwrap_or_default();
    let commit = option_env!("POSTERN_COMMIT").unwrap_or("not a release");
    format!("{} ({commit}, schema {schema})", env!("CARGO_PKG_VERSION"))
});

/// The port of the server; other settings may be wrong, or be those of another user.
fn port_of_environment() -> u16 {
    std::env::var("PORT").ok().and_then(|port| port.parse().ok()).unwrap_or(DEFAULT_PORT)
}

pub fn run() -> anyhow::Result<()> {
    memory::return_free_pages_at_once();
    let cli = Cli::parse();
    files::set_owner_umask();
    // Dropped at the end, after the server.
    let traces = if matches!(cli.command, Command::Serve) { Traces::open()? } else { None };
    start_logging(traces.as_ref());
    if !matches!(cli.command, Command::Serve) {
        output::end_with_its_reader();
    }
    match &cli.command {
        Command::Healthcheck => return probe::ask_whether_ready(port_of_environment()),
        Command::Openapi => return Ok(std::io::stdout().write_all(openapi::GENERATED.as_bytes())?),
        Command::Doctor(arguments) => return doctor::run(arguments),
        Command::Init(arguments) => return print_lines(init::run(arguments)?),
        _ => {}
    }
    let config = Config::from_env().map_err(|wrong| anyhow::anyhow!("invalid settings:\n  {}", wrong.join("\n  ")))?;
    match cli.command {
        Command::Serve => actix_web::rt::System::new().block_on(startup::serve(config)),
        Command::Migrate => crate::app::open(config).map(|_| ()),
        Command::Demo => seed_demo(config),
        Command::Backup(arguments) => print_lines(backup::backup(&config, &arguments)?),
        Command::Restore(arguments) => print_lines(backup::restore(&config, &arguments)?),
        Command::Inventory { command } => work_on_inventory(&crate::app::open(config)?, command),
        Command::Coupon { command } => work_on_coupons(&crate::app::open(config)?, command),
        Command::Order { command } => work_on_order(&crate::app::open(config)?, command),
        Command::Account { command } => work_on_account(&crate::app::open(config)?, command),
        Command::Limits { command } => work_on_limits(&crate::app::open(config)?, command),
        Command::Prices { command } => print_lines(run_prices_command(&crate::app::open(config)?, command)?),
        Command::Settings { command } => print_lines(run_settings_command(&config, &command)?),
        Command::SecretKey { command } => print_lines(run_secret_key_command(config, &command)?),
        Command::ProxyServer { command } => {
            let app = crate::app::open(config)?;
            println!("{}", proxy_servers::run(&app, command).map_err(|error| refusal(&app, &error))?);
            Ok(())
        }
        Command::Referrals { command } => {
            let app = crate::app::open(config)?;
            println!("{}", referrals::run(&app, command).map_err(|error| refusal(&app, &error))?);
            Ok(())
        }
        Command::Ledger { command: LedgerCommand::Verify } => verify_ledger(config),
        Command::Healthcheck | Command::Openapi | Command::Doctor(_) | Command::Init(_) => Ok(()),
    }
}

/// All commands, such as `account level`.
pub fn all_commands() -> Vec<String> {
    fn of(command: &clap::Command, path: &str) -> Vec<String> {
        let name = |child: &clap::Command| format!("{path} {}", child.get_name()).trim().to_owned();
        let children = command.get_subcommands().filter(|child| child.get_name() != "help");
        let found: Vec<String> = children.flat_map(|child| of(child, &name(child))).collect();
        if found.is_empty() { vec![path.to_owned()] } else { found }
    }
    of(&Cli::command(), "")
}

fn print_lines(lines: Vec<String>) -> anyhow::Result<()> {
    lines.iter().for_each(|line| println!("{line}"));
    Ok(())
}

fn start_logging(traces: Option<&Traces>) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| "info,actix_server=warn".into());
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false);
    let lines = if std::io::stderr().is_terminal() { lines.boxed() } else { lines.json().boxed() };
    tracing_subscriber::registry().with(lines.with_filter(filter)).with(traces.map(Traces::layer)).init();
}

fn seed_demo(config: Config) -> anyhow::Result<()> {
    let path = config.var_dir.join("demo-accounts.json");
    let app = crate::app::open(config)?;
    let folder = app.config.var_dir.clone();
    if let Some(seeded) = demo::seed(&app).map_err(|error| anyhow::anyhow!("{error}"))? {
        write_private(&path, &serde_json::to_string_pretty(&seeded.accounts)?)?;
        write_private(&folder.join("demo-residential.secret"), &seeded.residential_secret)?;
        write_private(&folder.join("demo-static.secret"), &seeded.static_secret)?;
    }
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("The shop already has data; no demo accounts were created.");
        return Ok(());
    };
    let accounts: demo::Accounts = serde_json::from_str(&text)?;
    println!("Demo accounts (kept in {}):", path.display());
    for (email, password) in accounts {
        println!("  {email:<22} {password}");
    }
    Ok(())
}

fn work_on_inventory(app: &App, command: InventoryCommand) -> anyhow::Result<()> {
    match command {
        InventoryCommand::Import { file, dry_run } => {
            let progress = &mut |progress: &str| eprintln!("{progress}");
            let found = inventory::import(app, &Source::Path(&file), dry_run, &Actor::command(), progress)?;
            for cell in &found.wrong {
                println!("{}", in_words(app, cell));
            }
            anyhow::ensure!(found.wrong_cells == 0, "nothing was imported: {} errors", found.wrong_cells);
            let done = if dry_run { "can be imported" } else { "imported" };
            println!("{} nodes {done}.", found.nodes);
        }
        InventoryCommand::Export { file: Some(path) } => {
            let count = inventory::export(app, BufWriter::new(File::create(&path)?))?;
            println!("{count} nodes written to {}.", path.display());
        }
        InventoryCommand::Export { file: None } => {
            inventory::export(app, std::io::stdout().lock())?;
        }
        InventoryCommand::Retire { addresses } => {
            let done = inventory::retire(app, &addresses).map_err(|error| anyhow::anyhow!("{error}"))?;
            done.left.iter().for_each(|address| println!("{address} was not retired: not in stock"));
            println!("{} nodes retired.", done.retired);
        }
    }
    Ok(())
}

fn work_on_coupons(app: &App, command: CouponCommand) -> anyhow::Result<()> {
    match command {
        CouponCommand::Add {
            code,
            percent,
            amount,
            minimum,
            products,
            uses_per_account,
            total_uses,
            first_order_only,
            valid_from,
            valid_until,
        } => {
            let form = CouponForm {
                code,
                percent,
                amount,
                minimum,
                products,
                uses_per_account,
                total_uses,
                first_order_only,
                valid_from,
                valid_until,
            };
            println!("Coupon {} was added.", coupons::add(app, &form)?.code);
        }
        CouponCommand::List => coupons::list(app)?.iter().for_each(|line| println!("{line}")),
        CouponCommand::End { code } => {
            coupons::end(app, &code)?;
            println!("Coupon {} has ended.", code.trim().to_ascii_uppercase());
        }
    }
    Ok(())
}

fn work_on_order(app: &App, command: OrderCommand) -> anyhow::Result<()> {
    let now = app.clock.now();
    match command {
        OrderCommand::Show { order_number } => {
            let found = app.db.read_blocking(|conn| orders::operator::find(conn, &order_number, now));
            println!("{}", serde_json::to_string_pretty(&found.map_err(|error| refusal(app, &error))?)?);
        }
        OrderCommand::Refund { order_number, reason, amount, node_ids, to_source, yes } => {
            let form = RefundOrder { order_number, amount, node_ids, to_source, reason };
            let done = if yes {
                app.db.write_blocking(|conn| refunds::refund_as_operator(conn, &form, &Actor::command(), now))
            } else {
                app.db.read_blocking(|conn| refunds::preview(conn, &form, StaffRole::Operator, now))
            };
            let done = done.map_err(|error| refusal(app, &error))?;
            println!("{}", serde_json::to_string_pretty(&done)?);
            match &done.credit_note {
                Some(number) => {
                    println!("{} {} refunded, credit note {number}.", done.amount, done.currency.as_str())
                }
                None if yes => println!("{} {} of a top-up refunded.", done.amount, done.currency.as_str()),
                None => println!("Nothing was changed. Run again with --yes to refund this amount."),
            }
        }
        OrderCommand::Settle { payment, amount, accept_difference } => {
            let told = SettlePayment { payment_id: payment, amount, accept_difference };
            let payment = transfers::settle_from_cli(app, &told)?;
            println!("The payment of {} {} is {}.", payment.amount, payment.currency.as_str(), payment.state.as_str());
        }
    }
    Ok(())
}

fn work_on_limits(app: &App, command: LimitsCommand) -> anyhow::Result<()> {
    let failed = |error: AppError| refusal(app, &error);
    let now = app.clock.now();
    match command {
        LimitsCommand::Show => {}
        LimitsCommand::Set { limit, most } => {
            let limit = Limit::from_wire(&limit).ok_or_else(|| anyhow::anyhow!("there is no limit `{limit}`"))?;
            let most = validate_limit(&LimitForm { limit, most }).map_err(|errors| failed(errors.into()))?;
            let most = i32::try_from(most)?;
            app.db
                .write_blocking(|conn| limits::set_limit(conn, limit, most, &Actor::command(), now))
                .map_err(failed)?;
        }
        LimitsCommand::Hold { from, ips } => {
            let from = Money::read(&from).ok().filter(|from| !from.is_negative());
            let from = from.ok_or_else(|| anyhow::anyhow!("--from must be an amount such as 50.00"))?;
            anyhow::ensure!(ips.is_some() || !from.is_zero(), "the step from 0 cannot be removed, only changed");
            app.db.write_blocking(|conn| limits::set_step(conn, from, ips, &Actor::command(), now)).map_err(failed)?;
        }
    }
    for limit in Limit::ALL {
        let most = app.db.read_blocking(|conn| limits::most(conn, *limit)).map_err(failed)?;
        println!("{:<20} {most}", limit.as_str());
    }
    for step in app.db.read_blocking(limits::steps).map_err(failed)? {
        println!("held IPs from {:>10} {}", step.min_standing.to_string(), step.max_ips);
    }
    Ok(())
}
