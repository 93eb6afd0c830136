//! The command `postern referrals`.
use crate::audit::Actor;
use crate::error::AppError;
use crate::referrals::rules;
use crate::referrals::types::RuleView;
use crate::state::App;
use clap::Subcommand;
use postern_core::referral::{ReferralRuleForm, validate_referral_rule};

#[derive(Subcommand)]
pub enum ReferralsCommand {
    /// List the commission rules
    Rules,
    /// Add a commission rule for accounts that sign up from now on; existing accounts keep theirs
    Rule {
        /// Commission in percent of an order's total, for example 10 or 12.5; 0 for none
        #[arg(long)]
        rate: String,
        /// YYYY-MM-DD HH:mm:ss in UTC, not in the past; now if omitted
        #[arg(long = "from", default_value = "", hide_default_value = true)]
        valid_from: String,
    },
}

/// Runs the command and returns the text to print.
pub fn run(app: &App, command: ReferralsCommand) -> Result<String, AppError> {
    let now = app.clock.now();
    if let ReferralsCommand::Rule { rate, valid_from } = command {
        let rule = validate_referral_rule(&ReferralRuleForm { rate_percent: rate, valid_from }, now)?;
        app.db.write_blocking(|conn| rules::add(conn, &rule, &Actor::command(), now))?;
    }
    let rules = app.db.read_blocking(|conn| rules::list(conn, now))?;
    Ok(rules.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn line(rule: &RuleView) -> String {
    let mark = if rule.is_in_force { ", in force" } else { "" };
    format!("{} for accounts that sign up from {} UTC{mark}", rule.rate, rule.valid_from)
}
