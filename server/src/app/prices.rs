//! The command `postern prices`.
use crate::app::refusal::refusal;
use crate::audit::{self, Actor, Entry};
use crate::catalogue::{self, catalogue};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::{AppError, Refusal};
use crate::schema::nodes;
use crate::state::App;
use crate::traffic::prices::{change_traffic, traffic_catalogue};
use clap::Subcommand;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::money::display_percent;
use postern_core::price_forms::{PriceChange, PriceForm, Prices, period_renews, validate_price};

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
        Some(match self {
            PricesCommand::Show => return None,
            PricesCommand::SetTraffic { period, from_gb, price } => PriceForm::SetTraffic { period, from_gb, price },
            PricesCommand::RemoveTraffic { period, from_gb } => PriceForm::RemoveTraffic { period, from_gb },
            PricesCommand::SetTier { ver_str, price } => PriceForm::SetTier { ver_str, price },
            PricesCommand::SetPeriod { days, discount } => PriceForm::SetPeriod { days, discount },
            PricesCommand::RemovePeriod { days } => PriceForm::RemovePeriod { days },
            PricesCommand::SetStep { min, discount } => PriceForm::SetStep { min, discount },
            PricesCommand::RemoveStep { min } => PriceForm::RemoveStep { min },
        })
    }
}

/// Runs the command and returns all prices as lines. Open orders keep the price at which they were created.
pub fn run_prices_command(app: &App, command: PricesCommand) -> anyhow::Result<Vec<String>> {
    if let Some(form) = command.form() {
        let changed = app.db.write_blocking(|conn| {
            let before = lines(&prices(conn)?);
            change(conn, &form)?;
            let after = lines(&prices(conn)?);
            let entry = Entry::new(AuditAction::PriceChanged).changes(differences(&before, &after));
            audit::record(conn, &Actor::command(), entry, app.clock.now())
        });
        changed.map_err(|error| with_values(&form, refusal(app, &error), &error))?;
    }
    let shop = app.db.read_blocking(prices).map_err(|error| refusal(app, &error))?;
    Ok(lines(&shop))
}

/// The lines that are not the same: one that is gone beside one that is new.
fn differences(before: &[String], after: &[String]) -> Vec<AuditChange> {
    let plain = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let gone = before.iter().filter(|line| !after.contains(line)).map(plain);
    let new = after.iter().filter(|line| !before.contains(line)).map(plain);
    let (mut gone, mut new) = (gone.collect::<Vec<_>>().into_iter(), new.collect::<Vec<_>>().into_iter());
    std::iter::from_fn(move || match (gone.next(), new.next()) {
        (None, None) => None,
        (before, after) => Some(AuditChange { field: AuditField::Price, before, after }),
    })
    .collect()
}

fn prices(conn: &mut Conn) -> Result<Prices, AppError> {
    Ok(Prices { catalogue: catalogue(conn)?, traffic: traffic_catalogue(conn)? })
}

fn change(conn: &mut Conn, form: &PriceForm) -> Result<(), AppError> {
    let shop = prices(conn)?;
    let change = validate_price(form, &shop)?;
    if let PriceChange::RemovePeriod { period_days } = change {
        let days = i32::try_from(period_days).map_err(|_| AppError::internal("a period is too long"))?;
        let renewing = nodes::table.filter(nodes::auto_renew.eq(true)).filter(nodes::period_days.eq(days));
        let renewing: i64 = renewing.filter(nodes::account_id.is_not_null()).count().get_result(conn)?;
        if renewing > 0 {
            return Err(period_renews(renewing.unsigned_abs()).into());
        }
    }
    match change {
        PriceChange::SetTraffic { .. } | PriceChange::RemoveTraffic { .. } => change_traffic(conn, &change),
        _ => catalogue::change(conn, &change),
    }
}

/// Adds the rejected values, as typed, to the refusal.
fn with_values(form: &PriceForm, refused: anyhow::Error, error: &AppError) -> anyhow::Error {
    let AppError::Answer(Refusal { data, .. }) = error else { return refused };
    let typed = typed(form).into_iter().filter(|(name, _)| data["Fields"][*name].is_array());
    let values: Vec<String> = typed.map(|(name, value)| format!("{name} is `{value}`")).collect();
    if values.is_empty() { refused } else { anyhow::anyhow!("{refused}\n  ({})", values.join(", ")) }
}

fn typed(form: &PriceForm) -> Vec<(&'static str, &str)> {
    match form {
        PriceForm::SetTraffic { period, from_gb, price } => {
            vec![("Period", period), ("FromGb", from_gb), ("Price", price)]
        }
        PriceForm::RemoveTraffic { period, from_gb } => vec![("Period", period), ("FromGb", from_gb)],
        PriceForm::SetTier { ver_str, price } => vec![("VerStr", ver_str), ("Price", price)],
        PriceForm::SetPeriod { days, discount } => vec![("Days", days), ("Discount", discount)],
        PriceForm::RemovePeriod { days } => vec![("Days", days)],
        PriceForm::SetStep { min, discount } => vec![("Min", min), ("Discount", discount)],
        PriceForm::RemoveStep { min } => vec![("Min", min)],
    }
}

fn lines(Prices { catalogue, traffic }: &Prices) -> Vec<String> {
    let currency = catalogue.currency.as_str();
    let mut lines = Vec::new();
    for tier in &catalogue.tiers {
        lines.push(format!(
            "tier     {:<28} {:>10} {currency} per IP and 30 days",
            tier.ver_str,
            tier.price.to_string()
        ));
    }
    for period in &catalogue.periods {
        let discount = display_percent(period.discount_basis_points);
        lines.push(format!("period   {:>5} days {discount:>8} off", period.period_days));
    }
    for step in &catalogue.quantity_steps {
        let discount = display_percent(step.discount_basis_points);
        lines.push(format!("step     {:>5} IPs  {discount:>8} off", step.min_quantity));
    }
    for offer in &traffic.offers {
        let period =
            if offer.period_days == 0 { "never expires".to_owned() } else { format!("{} days", offer.period_days) };
        for step in &offer.steps {
            let price = step.price.to_string();
            lines.push(format!("traffic  {period:<14} from {:>6} GB {price:>8} {currency} per GB", step.min_gigabytes));
        }
    }
    lines
}
