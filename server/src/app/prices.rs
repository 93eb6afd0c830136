//! The command `postern prices`.
use crate::app::refusal::refusal;
use crate::audit::Actor;
use crate::error::{AppError, Refusal};
use crate::prices::{change, lines, prices};
use crate::state::App;
use clap::Subcommand;
use postern_core::price_forms::{PriceAction, PriceForm};

#[derive(Clone, Subcommand)]
pub enum PricesCommand {
    /// Show all prices and discounts
    Show,
    /// Set the price per gigabyte of residential traffic, for orders of at least FROM_GB gigabytes
    SetTraffic {
        /// Days until the traffic expires; 0 for never
        period: String,
        from_gb: String,
        /// For example 3.50
        price: String,
    },
    /// Remove a price of residential traffic; removing the last one of a period stops its sale
    RemoveTraffic { period: String, from_gb: String },
    /// Set the price of an IP of a tier for 30 days
    SetTier { ver_str: String, price: String },
    /// Sell a tier at its price
    SellTier { ver_str: String },
    /// Stop selling a tier; what customers have of it is renewed as before
    PauseTier { ver_str: String },
    /// Limit what one IP of a tier may carry, also of those sold already; without options it has no limit
    LimitTier {
        ver_str: String,
        /// Connections open at the same time
        #[arg(long, default_value = "")]
        connections: String,
        /// Megabits per second
        #[arg(long, default_value = "")]
        megabits: String,
    },
    /// Sell static residential proxies for a period, with a discount in percent
    SetPeriod { days: String, discount: String },
    /// Stop selling static residential proxies for a period
    RemovePeriod { days: String },
    /// Set the volume discount in percent for orders of at least MIN IPs
    SetStep { min: String, discount: String },
    /// Remove a volume discount
    RemoveStep { min: String },
}

impl PricesCommand {
    fn form(self) -> Option<PriceForm> {
        let empty = PriceForm::new;
        Some(match self {
            PricesCommand::Show => return None,
            PricesCommand::SetTraffic { period, from_gb, price } => {
                PriceForm { period, from_gb, price, ..empty(PriceAction::SetTraffic) }
            }
            PricesCommand::RemoveTraffic { period, from_gb } => {
                PriceForm { period, from_gb, ..empty(PriceAction::RemoveTraffic) }
            }
            PricesCommand::SetTier { ver_str, price } => PriceForm { ver_str, price, ..empty(PriceAction::SetTier) },
            PricesCommand::SellTier { ver_str } => PriceForm { ver_str, ..empty(PriceAction::SellTier) },
            PricesCommand::PauseTier { ver_str } => PriceForm { ver_str, ..empty(PriceAction::PauseTier) },
            PricesCommand::LimitTier { ver_str, connections, megabits } => PriceForm {
                ver_str,
                max_connections: connections,
                max_megabits: megabits,
                ..empty(PriceAction::LimitTier)
            },
            PricesCommand::SetPeriod { days, discount } => {
                PriceForm { days, discount, ..empty(PriceAction::SetPeriod) }
            }
            PricesCommand::RemovePeriod { days } => PriceForm { days, ..empty(PriceAction::RemovePeriod) },
            PricesCommand::SetStep { min, discount } => PriceForm { min, discount, ..empty(PriceAction::SetStep) },
            PricesCommand::RemoveStep { min } => PriceForm { min, ..empty(PriceAction::RemoveStep) },
        })
    }
}

/// Runs the command and returns all prices as lines. Open orders keep the price at which they were created.
pub fn run_prices_command(app: &App, command: PricesCommand) -> anyhow::Result<Vec<String>> {
    if let Some(form) = command.form() {
        let changed = app.db.write_blocking(|conn| change(conn, &form, &Actor::command(), app.clock.now()));
        changed.map_err(|error| with_values(&form, refusal(app, &error), &error))?;
    }
    let shop = app.db.read_blocking(prices).map_err(|error| refusal(app, &error))?;
    Ok(lines(&shop))
}

/// Adds the rejected values, as typed, to the refusal.
fn with_values(form: &PriceForm, refused: anyhow::Error, error: &AppError) -> anyhow::Error {
    let AppError::Answer(Refusal { data, .. }) = error else { return refused };
    let typed = [
        ("Period", &form.period),
        ("FromGb", &form.from_gb),
        ("Price", &form.price),
        ("VerStr", &form.ver_str),
        ("Days", &form.days),
        ("Discount", &form.discount),
        ("Min", &form.min),
        ("MaxConnections", &form.max_connections),
        ("MaxMegabits", &form.max_megabits),
    ];
    let typed = typed.into_iter().filter(|(name, _)| data["Fields"][*name].is_array());
    let values: Vec<String> = typed.map(|(name, value)| format!("{name} is `{value}`")).collect();
    if values.is_empty() { refused } else { anyhow::anyhow!("{refused}\n  ({})", values.join(", ")) }
}
