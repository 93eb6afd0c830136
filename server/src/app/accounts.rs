//! The command `postern account`.
use crate::accounts::changes::{Flags, flags_of, set_flags, set_state};
use crate::accounts::queries as accounts;
use crate::accounts::types::AccountDetail;
use crate::app::init::operator::ensure_user;
use crate::app::refusal::refusal;
use crate::audit::Actor;
use crate::error::AppError;
use crate::state::App;
use crate::users::two_factor;
use crate::wallet::closed_accounts;
use clap::{Subcommand, ValueEnum};
use postern_core::account::AccountState;
use postern_core::operator_forms::{AccountTermsForm, validate_state_reason};
use postern_core::permission::Level;
use postern_core::staff::StaffRole;

#[derive(Subcommand)]
pub enum AccountCommand {
    /// Show the account of an e-mail address, with the history of its level and discount
    Show { email: String },
    /// Make an account a customer, a reseller with a wholesale discount, an operator, or one of support or an accountant
    Level {
        email: String,
        level: LevelName,
        /// A reseller's discount in percent, for example 15 or 12.5
        #[arg(long, default_value = "", hide_default_value = true)]
        discount: String,
    },
    /// Turn off two-factor authentication for a user who has lost the app and all recovery codes, and end their sessions
    TurnOffTwoFactor { email: String },
    /// Show or hide the access token in an account's centre; the token is created when it is shown, and ends when it is hidden
    ShowToken { email: String, shown: Shown },
    /// Show or hide the invitation code in an account's centre
    ShowInvite { email: String, shown: Shown },
    /// Record that money which had arrived for a closed account was returned to whoever paid: empties its wallet
    PaidBack {
        /// The name in quotes that the alarm says, for example "closed 12"
        name: String,
    },
    /// Suspend an account: it keeps access to billing and support only, and its proxies and API keys are refused
    Suspend {
        email: String,
        /// Reason for other operators
        #[arg(long)]
        reason: String,
    },
    /// Resume a suspended account
    Resume {
        email: String,
        #[arg(long, default_value = "", hide_default_value = true)]
        reason: String,
    },
}

#[derive(Clone, Copy, Eq, PartialEq, ValueEnum)]
pub enum Shown {
    On,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum LevelName {
    Customer,
    Reseller,
    Operator,
    Support,
    Accountant,
}

impl LevelName {
    fn level(self) -> Level {
        match self {
            LevelName::Customer => Level::Customer,
            LevelName::Reseller => Level::Reseller,
            LevelName::Operator | LevelName::Support | LevelName::Accountant => Level::Operator,
        }
    }

    fn role(self) -> Option<StaffRole> {
        match self {
            LevelName::Customer | LevelName::Reseller => None,
            LevelName::Operator => Some(StaffRole::Operator),
            LevelName::Support => Some(StaffRole::Support),
            LevelName::Accountant => Some(StaffRole::Accountant),
        }
    }
}

/// Runs the command.
pub fn work_on_account(app: &App, command: AccountCommand) -> anyhow::Result<()> {
    let now = app.clock.now();
    let found = match command {
        AccountCommand::Show { email } => app.db.read_blocking(|conn| accounts::find_by_email(conn, &email)),
        AccountCommand::Level { email, level, discount } => {
            ensure_user(app, &email, level.level())?;
            let form = AccountTermsForm { level: level.level().number(), discount, role: level.role() };
            app.db.write_blocking(|conn| accounts::set_terms_of(conn, &email, &form, &Actor::command(), now))
        }
        AccountCommand::TurnOffTwoFactor { email } => app.db.write_blocking(|conn| {
            two_factor::turn_off_of(conn, &email, &Actor::command(), now)?;
            accounts::find_by_email(conn, &email)
        }),
        AccountCommand::ShowToken { email, shown } => app.db.write_blocking(|conn| {
            let account_id = accounts::account_of(conn, &email)?;
            let wanted = Flags { show_access_token: shown == Shown::On, ..flags_of(conn, account_id)? };
            set_flags(conn, &app.key, account_id, wanted, &Actor::command(), now)?;
            accounts::find(conn, account_id)
        }),
        AccountCommand::ShowInvite { email, shown } => app.db.write_blocking(|conn| {
            let account_id = accounts::account_of(conn, &email)?;
            let wanted = Flags { show_invitation_code: shown == Shown::On, ..flags_of(conn, account_id)? };
            set_flags(conn, &app.key, account_id, wanted, &Actor::command(), now)?;
            accounts::find(conn, account_id)
        }),
        AccountCommand::PaidBack { name } => app.db.write_blocking(|conn| {
            let account_id = closed_accounts::pay_back(conn, &name, &Actor::command(), now)?;
            accounts::find(conn, account_id)
        }),
        AccountCommand::Suspend { email, reason } => set_account_state(app, &email, AccountState::Suspended, &reason),
        AccountCommand::Resume { email, reason } => set_account_state(app, &email, AccountState::Active, &reason),
    };
    println!("{}", serde_json::to_string_pretty(&found.map_err(|error| refusal(app, &error))?)?);
    Ok(())
}

fn set_account_state(app: &App, email: &str, state: AccountState, reason: &str) -> Result<AccountDetail, AppError> {
    let reason = validate_state_reason(state, reason)?;
    let now = app.clock.now();
    app.db.write_blocking(|conn| {
        let account_id = accounts::account_of(conn, email)?;
        set_state(conn, account_id, state, &reason, &Actor::command(), now)?;
        accounts::find(conn, account_id)
    })
}
