//! SQL about accounts and their terms.
use crate::accounts::changes::{Flags, flags_of, refuse_closed};
use crate::accounts::facts::facts;
use crate::accounts::search::{Matching, of_accounts};
use crate::accounts::types::{Account, AccountDetail, AccountFilter};
use crate::audit::views::about;
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, page_of_rows, within};
use crate::ledger::lock_wallet;
use crate::legal::acceptances;
use crate::schema::{accounts, users, wallets};
use chrono::NaiveDateTime;
use postern_core::account::AccountState;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::coupon::Coupon;
use postern_core::invoice::Party;
use postern_core::list::ACCOUNTS;
use postern_core::money::{Currency, Money};
use postern_core::operator_forms::{AccountTermsForm, validate_account_terms};
use postern_core::permission::Level;
use postern_core::profile::AccountDetails;
use postern_core::quote::Terms;
use postern_core::reseller::AccountTerms;
use postern_core::staff::StaffRole;
use postern_core::time::to_wire;
use std::collections::HashMap;

/// Parses a stored discount.
pub fn basis_points_of(kept: i32) -> Result<u32, AppError> {
    u32::try_from(kept).map_err(|_| AppError::internal("a discount below zero"))
}

/// Parses a stored level, discount and role.
pub fn granted(level: Level, basis_points: i32, role: StaffRole) -> Result<AccountTerms, AppError> {
    Ok(AccountTerms { level, reseller_basis_points: basis_points_of(basis_points)?, role })
}

/// An account's terms; not found if the account does not exist.
pub fn terms_of(conn: &mut Conn, account_id: i64) -> Result<AccountTerms, AppError> {
    let kept = accounts::table.find(account_id);
    let kept = kept.select((accounts::level, accounts::reseller_basis_points, accounts::staff_role));
    let (level, basis_points, role): (Level, i32, StaffRole) =
        kept.first(conn).optional()?.ok_or_else(|| AppError::code(Code::NotFound))?;
    granted(level, basis_points, role)
}

/// The account-specific inputs to prices. Creating an order and changing the terms both hold the wallet's lock, so they cannot overlap.
pub fn order_terms(conn: &mut Conn, account_id: i64, coupon: Option<Coupon>) -> Result<Terms, AppError> {
    Ok(Terms { reseller_basis_points: terms_of(conn, account_id)?.discount_in_force(), coupon })
}

/// Sets an account's terms and records who changed them. Unchanged terms are not recorded. The caller holds the
/// lock of the account's wallet.
pub fn set_terms(
    conn: &mut Conn,
    account_id: i64,
    wanted: AccountTerms,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let current = terms_of(conn, account_id)?;
    refuse_closed(conn, account_id)?;
    if current == wanted {
        return Ok(());
    }
    let signed = |number: u32| i32::try_from(number).map_err(|_| AppError::internal("a discount is too large"));
    let (level, basis_points) = (wanted.level, signed(wanted.reseller_basis_points)?);
    diesel::update(accounts::table.find(account_id))
        .set((
            accounts::level.eq(level),
            accounts::reseller_basis_points.eq(basis_points),
            accounts::staff_role.eq(wanted.role),
        ))
        .execute(conn)?;
    let changes = [
        AuditChange::between(AuditField::Level, current.level.number(), wanted.level.number()),
        role_change(current, wanted),
        AuditChange::between(AuditField::Discount, current.reseller_basis_points, wanted.reseller_basis_points),
    ];
    let entry = Entry::new(AuditAction::AccountTerms).account(account_id).changes(changes.into_iter().flatten());
    audit::record(conn, actor, entry, now)
}

/// The change of a role, if one of an operator's account was or is in force.
fn role_change(current: AccountTerms, wanted: AccountTerms) -> Option<AuditChange> {
    let name = |terms: AccountTerms| terms.role_in_force().map(|role| role.as_str().to_owned());
    let (before, after) = (name(current), name(wanted));
    (before != after).then_some(AuditChange { field: AuditField::Role, before, after })
}

/// The account that a user with this e-mail address signs in to.
pub fn account_of(conn: &mut Conn, email: &str) -> Result<i64, AppError> {
    let email = email.trim().to_lowercase();
    let found = users::table.filter(users::email.eq(email)).select(users::account_id).first(conn).optional()?;
    found.ok_or_else(|| AppError::code(Code::NotFound))
}

pub fn find_by_email(conn: &mut Conn, email: &str) -> Result<AccountDetail, AppError> {
    let account_id = account_of(conn, email)?;
    find(conn, account_id)
}

/// Sets the terms of the account with this e-mail address, as a command on the server: any level, including operator.
pub fn set_terms_of(
    conn: &mut Conn,
    email: &str,
    form: &AccountTermsForm,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<AccountDetail, AppError> {
    let terms = validate_account_terms(form)?;
    let account_id = account_of(conn, email)?;
    lock_wallet(conn, account_id)?;
    set_terms(conn, account_id, terms, actor, now)?;
    find(conn, account_id)
}

/// The first user of each account.
pub fn emails_of(conn: &mut Conn, accounts: &[i64]) -> Result<HashMap<i64, String>, AppError> {
    let rows: Vec<(i64, String)> = users::table
        .filter(users::account_id.eq_any(accounts))
        .order(users::id.desc())
        .select((users::account_id, users::email))
        .load(conn)?;
    Ok(rows.into_iter().collect())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = accounts)]
struct AccountRow {
    id: i64,
    level: Level,
    reseller_basis_points: i32,
    staff_role: StaffRole,
    state: AccountState,
    company_name: String,
    first_name: String,
    last_name: String,
    created_at: NaiveDateTime,
}

impl AccountRow {
    fn name(&self, email: &str) -> String {
        let details = AccountDetails {
            company_name: self.company_name.clone(),
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            ..AccountDetails::default()
        };
        Party::buyer(&details, email).name
    }
}

type WalletRow = (i64, i64, i64, Currency);

fn views(conn: &mut Conn, rows: Vec<AccountRow>) -> Result<Vec<Account>, AppError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut emails = emails_of(conn, &ids)?;
    let wallets: Vec<WalletRow> = wallets::table
        .filter(wallets::account_id.eq_any(&ids))
        .select((wallets::account_id, wallets::balance_minor, wallets::total_expenses_minor, wallets::currency))
        .load(conn)?;
    let mut wallets: HashMap<i64, WalletRow> = wallets.into_iter().map(|wallet| (wallet.0, wallet)).collect();
    let view = |row: AccountRow| {
        let email = emails.remove(&row.id).unwrap_or_default();
        let wallet = wallets.remove(&row.id);
        let (_, balance, expenses, currency) =
            wallet.ok_or_else(|| AppError::internal("an account without a wallet"))?;
        let terms = granted(row.level, row.reseller_basis_points, row.staff_role)?;
        Ok(Account {
            account_id: row.id,
            name: row.name(&email),
            email,
            level: terms.level,
            role: terms.role_in_force(),
            reseller_basis_points: terms.discount_in_force(),
            state: row.state,
            wallet_balance: Money::from_minor(balance),
            total_expenses: Money::from_minor(expenses),
            currency,
            created_at: to_wire(row.created_at),
        })
    };
    rows.into_iter().map(view).collect()
}

/// The e-mail addresses and names of accounts, by account id.
pub fn names(conn: &mut Conn, account_ids: &[i64]) -> Result<HashMap<i64, (String, String)>, AppError> {
    let rows: Vec<AccountRow> =
        accounts::table.filter(accounts::id.eq_any(account_ids)).select(AccountRow::as_select()).load(conn)?;
    let mut emails = emails_of(conn, account_ids)?;
    let named = |row: AccountRow| {
        let email = emails.remove(&row.id).unwrap_or_default();
        let name = row.name(&email);
        (row.id, (email, name))
    };
    Ok(rows.into_iter().map(named).collect())
}

pub fn list(conn: &mut Conn, list: &ListRequest) -> Result<Page<Account>, AppError> {
    let filter: AccountFilter = list.filters()?;
    let between = list.between()?;
    let search = list.search.trim();
    let matching = if search.is_empty() { None } else { Some(Matching::of(conn, search)?) };
    let asked = list.asked(&ACCOUNTS)?;
    let narrowed = || {
        let mut query = within(accounts::table.into_boxed(), accounts::created_at, between);
        if let Some(matching) = &matching {
            query = of_accounts!(matching, |ids| query.filter(accounts::id.eq_any(ids)));
        }
        if let Some(level) = filter.level {
            query = query.filter(accounts::level.eq(level));
        }
        if let Some(state) = filter.state {
            query = query.filter(accounts::state.eq(state));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: AccountRow| narrowed().select(AccountRow::as_select()),
        counted: narrowed().select(accounts::id), number: accounts::id => row.id, fields: {}
    );
    page.views(|rows| views(conn, rows))
}

/// An account with what operators did about it.
pub fn find(conn: &mut Conn, account_id: i64) -> Result<AccountDetail, AppError> {
    let row = accounts::table.find(account_id).select(AccountRow::as_select()).first(conn).optional()?;
    let row = row.ok_or_else(|| AppError::code(Code::NotFound))?;
    let account = views(conn, vec![row])?.pop().ok_or_else(|| AppError::internal("an account without a view"))?;
    let Flags { show_invitation_code, show_access_token } = flags_of(conn, account_id)?;
    let kept = accounts::table.find(account_id).select((accounts::closed_at, accounts::note));
    let (closed_at, note): (Option<NaiveDateTime>, String) = kept.first(conn)?;
    let user_ids: Vec<i64> = users::table.filter(users::account_id.eq(account_id)).select(users::id).load(conn)?;
    Ok(AccountDetail {
        account,
        accepted_texts: acceptances::of_users(conn, &user_ids)?,
        facts: facts(conn, account_id)?,
        closed_at: closed_at.map(to_wire),
        owed: Money::from_minor(wallets::table.find(account_id).select(wallets::owed_minor).first(conn)?),
        show_invitation_code,
        show_access_token,
        note,
        history: about(conn, account_id)?,
    })
}
