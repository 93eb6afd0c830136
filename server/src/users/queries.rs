//! SQL about users, their sessions and their mailed links.
use crate::accounts::queries::terms_of;
use crate::api_keys::queries as api_keys;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::request::SignedIn;
use crate::legal::acceptances;
use crate::referrals::rows as referrals;
use crate::schema::{accounts, password_resets, sign_ups, users, wallets};
use crate::security::{SecretKey, new_token, random, sha256};
use crate::users::types::{Center, UserInfo, Wallet};
use crate::users::{avatar_queries, sessions};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::{AccountState, RESET_LINK_MINUTES, SIGN_UP_LINK_HOURS, invite_code};
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::permission::Level;
use postern_core::profile::{AccountDetails, Preferences};
use postern_core::sign_in::inbox_of;
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};

/// A sign-up whose address is not yet confirmed.
#[derive(Clone, Deserialize, Serialize)]
pub struct PendingSignUp {
    pub email: String,
    pub password_hash: String,
    pub invite_code: String,
    pub marketing: String,
    pub language: Language,
    pub time_zone: String,
    /// The legal texts that it accepted.
    #[serde(default)]
    pub accepted_texts: Vec<i64>,
}

pub struct Credentials {
    pub user_id: i64,
    pub password_hash: String,
}

pub fn find_credentials(conn: &mut Conn, email: &str) -> Result<Option<Credentials>, AppError> {
    let row: Option<(i64, String)> =
        users::table.filter(users::email.eq(email)).select((users::id, users::password_hash)).first(conn).optional()?;
    Ok(row.map(|(user_id, password_hash)| Credentials { user_id, password_hash }))
}

/// Stores a sign-up and returns the token of its link.
pub fn insert_sign_up(conn: &mut Conn, newcomer: &PendingSignUp, now: NaiveDateTime) -> Result<String, AppError> {
    let token = new_token();
    diesel::insert_into(sign_ups::table)
        .values((
            sign_ups::token_sha256.eq(sha256(&token)),
            sign_ups::email.eq(&newcomer.email),
            sign_ups::password_hash.eq(&newcomer.password_hash),
            sign_ups::invite_code.eq(&newcomer.invite_code),
            sign_ups::marketing.eq(&newcomer.marketing),
            sign_ups::language.eq(newcomer.language),
            sign_ups::time_zone.eq(&newcomer.time_zone),
            sign_ups::accepted_texts.eq(serde_json::to_string(&newcomer.accepted_texts)?),
            sign_ups::created_at.eq(now),
            sign_ups::expires_at.eq(now + TimeDelta::hours(SIGN_UP_LINK_HOURS)),
        ))
        .execute(conn)?;
    Ok(token)
}

type SignUpRow = (i64, String, String, String, String, Language, String, String);

/// The sign-up of a link; `None` if the link is unknown, used, expired, or not the newest of its address.
pub fn find_sign_up(
    conn: &mut Conn,
    token: &str,
    now: NaiveDateTime,
) -> Result<Option<(i64, PendingSignUp)>, AppError> {
    let usable = sign_ups::table
        .filter(sign_ups::token_sha256.eq(sha256(token)))
        .filter(sign_ups::used_at.is_null())
        .filter(sign_ups::expires_at.gt(now));
    let row: Option<SignUpRow> = usable
        .select((
            sign_ups::id,
            sign_ups::email,
            sign_ups::password_hash,
            sign_ups::invite_code,
            sign_ups::marketing,
            sign_ups::language,
            sign_ups::time_zone,
            sign_ups::accepted_texts,
        ))
        .first(conn)
        .optional()?;
    let Some((id, email, password_hash, invite_code, marketing, language, time_zone, accepted)) = row else {
        return Ok(None);
    };
    let accepted_texts = serde_json::from_str(&accepted)?;
    let newest: Option<i64> =
        sign_ups::table.filter(sign_ups::email.eq(&email)).select(diesel::dsl::max(sign_ups::id)).first(conn)?;
    let newcomer = PendingSignUp { email, password_hash, invite_code, marketing, language, time_zone, accepted_texts };
    Ok((newest == Some(id)).then_some((id, newcomer)))
}

/// Consumes the link of a sign-up; `None` if it cannot be used.
pub fn take_sign_up(conn: &mut Conn, token: &str, now: NaiveDateTime) -> Result<Option<PendingSignUp>, AppError> {
    let Some((id, newcomer)) = find_sign_up(conn, token, now)? else { return Ok(None) };
    let unused = sign_ups::table.find(id).filter(sign_ups::used_at.is_null());
    let taken = diesel::update(unused).set(sign_ups::used_at.eq(now)).execute(conn)?;
    Ok((taken == 1).then_some(newcomer))
}

/// The account that invites with this code.
pub fn referrer(conn: &mut Conn, code: &str) -> Result<Option<i64>, AppError> {
    let found = accounts::table.filter(accounts::invite_code.eq(code.to_uppercase())).select(accounts::id);
    Ok(found.first(conn).optional()?)
}

/// Creates an account with its wallet and first user; `None` if the address is taken.
pub fn insert_account(
    conn: &mut Conn,
    newcomer: &PendingSignUp,
    level: Level,
    currency: Currency,
    now: NaiveDateTime,
) -> Result<Option<i64>, AppError> {
    if find_credentials(conn, &newcomer.email)?.is_some() {
        return Ok(None);
    }
    let invited_by = referrer(conn, &newcomer.invite_code)?;
    let account_id: i64 = diesel::insert_into(accounts::table)
        .values((
            accounts::level.eq(level),
            accounts::invite_code.eq(invite_code(random())),
            accounts::invited_by.eq(invited_by),
            accounts::marketing.eq(&newcomer.marketing),
            accounts::created_at.eq(now),
        ))
        .returning(accounts::id)
        .get_result(conn)?;
    if let Some(referrer_id) = invited_by {
        referrals::insert(conn, account_id, referrer_id, now)?;
    }
    diesel::insert_into(wallets::table)
        .values((wallets::account_id.eq(account_id), wallets::currency.eq(currency)))
        .execute(conn)?;
    let user_id = diesel::insert_into(users::table)
        .values((
            users::account_id.eq(account_id),
            users::email.eq(&newcomer.email),
            users::inbox.eq(inbox_of(&newcomer.email)),
            users::password_hash.eq(&newcomer.password_hash),
            users::language.eq(newcomer.language),
            users::time_zone.eq(&newcomer.time_zone),
            users::created_at.eq(now),
        ))
        .returning(users::id)
        .get_result(conn)?;
    Ok(Some(user_id))
}

/// Starts a session without a code and returns its token, which is not stored.
pub fn insert_session(
    conn: &mut Conn,
    user_id: i64,
    address: &str,
    user_agent: &str,
    now: NaiveDateTime,
) -> Result<String, AppError> {
    sessions::start(conn, user_id, (address, user_agent), None, now)
}

type UserRow = (i64, i64, String, AccountState, Language, String);

pub fn user_info(conn: &mut Conn, user_id: i64) -> Result<UserInfo, AppError> {
    let (user_id, account_id, email, state, language, time_zone): UserRow = users::table
        .inner_join(accounts::table.on(accounts::id.eq(users::account_id)))
        .filter(users::id.eq(user_id))
        .select((users::id, accounts::id, users::email, accounts::state, users::language, users::time_zone))
        .first(conn)?;
    let terms = terms_of(conn, account_id)?;
    Ok(UserInfo {
        user_id,
        email,
        level: terms.level,
        reseller_basis_points: terms.discount_in_force(),
        state,
        language,
        time_zone,
        is_view: false,
        role: terms.role_in_force(),
        texts_to_accept: if terms.level == Level::Operator { Vec::new() } else { acceptances::missing(conn, user_id)? },
    })
}

pub fn insert_reset(conn: &mut Conn, user_id: i64, now: NaiveDateTime) -> Result<String, AppError> {
    let token = new_token();
    diesel::insert_into(password_resets::table)
        .values((
            password_resets::token_sha256.eq(sha256(&token)),
            password_resets::user_id.eq(user_id),
            password_resets::created_at.eq(now),
            password_resets::expires_at.eq(now + TimeDelta::minutes(RESET_LINK_MINUTES)),
        ))
        .execute(conn)?;
    Ok(token)
}

/// The user and address of a password reset's link, if it can be used.
pub fn find_reset(conn: &mut Conn, token: &str, now: NaiveDateTime) -> Result<Option<(i64, String)>, AppError> {
    let usable = password_resets::table
        .filter(password_resets::token_sha256.eq(sha256(token)))
        .filter(password_resets::used_at.is_null())
        .filter(password_resets::expires_at.gt(now));
    let user_id: Option<i64> = usable.select(password_resets::user_id).first(conn).optional()?;
    user_id.map(|user_id| Ok((user_id, email_of(conn, user_id)?))).transpose()
}

/// Consumes the link of a password reset and returns its user.
pub fn take_reset(conn: &mut Conn, token: &str, now: NaiveDateTime) -> Result<Option<i64>, AppError> {
    let usable = password_resets::table
        .filter(password_resets::token_sha256.eq(sha256(token)))
        .filter(password_resets::used_at.is_null())
        .filter(password_resets::expires_at.gt(now));
    let row: Option<(i64, i64)> =
        usable.select((password_resets::id, password_resets::user_id)).first(conn).optional()?;
    let Some((id, user_id)) = row else { return Ok(None) };
    let unused = password_resets::table.find(id).filter(password_resets::used_at.is_null());
    let taken = diesel::update(unused).set(password_resets::used_at.eq(now)).execute(conn)?;
    Ok((taken == 1).then_some(user_id))
}

pub fn set_password(conn: &mut Conn, user_id: i64, hash: &str) -> Result<(), AppError> {
    diesel::update(users::table.find(user_id)).set(users::password_hash.eq(hash)).execute(conn)?;
    Ok(())
}

/// Invalidates all mailed reset links of a user, and returns how many could still be used.
pub fn use_up_resets(conn: &mut Conn, user_id: i64, now: NaiveDateTime) -> Result<usize, AppError> {
    let open = password_resets::table
        .filter(password_resets::user_id.eq(user_id))
        .filter(password_resets::used_at.is_null())
        .filter(password_resets::expires_at.gt(now));
    Ok(diesel::update(open).set(password_resets::used_at.eq(now)).execute(conn)?)
}

/// Locks a user until the transaction ends, and returns the password hash. Code that starts sessions or changes their requirements takes this lock
/// first.
pub fn lock_user(conn: &mut Conn, user_id: i64) -> Result<String, AppError> {
    let user = users::table.find(user_id).select(users::password_hash);
    Ok(user.locked().get_result(conn)?)
}

pub fn password_hash(conn: &mut Conn, user_id: i64) -> Result<String, AppError> {
    Ok(users::table.find(user_id).select(users::password_hash).first(conn)?)
}

pub fn account_of(conn: &mut Conn, user_id: i64) -> Result<i64, AppError> {
    Ok(users::table.find(user_id).select(users::account_id).first(conn)?)
}

/// Sets the user's language, which is also that of their mails.
pub fn keep_language(conn: &mut Conn, user_id: i64, language: Language) -> Result<(), AppError> {
    let other = users::table.find(user_id).filter(users::language.ne(language));
    diesel::update(other).set(users::language.eq(language)).execute(conn)?;
    Ok(())
}

pub fn update_preferences(conn: &mut Conn, user_id: i64, preferences: &Preferences) -> Result<(), AppError> {
    diesel::update(users::table.find(user_id))
        .set((users::language.eq(preferences.language), users::time_zone.eq(&preferences.time_zone)))
        .execute(conn)?;
    Ok(())
}

pub fn email_of(conn: &mut Conn, user_id: i64) -> Result<String, AppError> {
    Ok(users::table.find(user_id).select(users::email).first(conn)?)
}

/// `suspends` says whether proxies of customers who owe do not work.
pub fn wallet(conn: &mut Conn, account_id: i64, suspends: bool) -> Result<Wallet, AppError> {
    let (balance, expenses, owed, currency): (i64, i64, i64, Currency) = wallets::table
        .find(account_id)
        .select((wallets::balance_minor, wallets::total_expenses_minor, wallets::owed_minor, wallets::currency))
        .first(conn)?;
    Ok(Wallet {
        wallet_balance: Money::from_minor(balance),
        total_expenses: Money::from_minor(expenses),
        owed: Money::from_minor(owed),
        are_proxies_paused: suspends && owed > 0,
        currency,
    })
}

pub fn center(conn: &mut Conn, key: &SecretKey, who: &SignedIn, now: NaiveDateTime) -> Result<Center, AppError> {
    let (show_invitation_code, code, show_access_token, details): (bool, String, bool, DetailsRow) = accounts::table
        .find(who.account_id)
        .select((
            accounts::show_invitation_code,
            accounts::invite_code,
            accounts::show_access_token,
            DetailsRow::as_select(),
        ))
        .first(conn)?;
    let details = AccountDetails::from(details);
    let access_token = if show_access_token { api_keys::access_token(conn, key, who.account_id)? } else { None };
    let has_access_token = access_token.is_some();
    // The token buys without a code: it is for the customer in person. An API key that could read it would exceed its own scopes.
    let access_token = access_token.filter(|_| who.is_session() && !who.is_view && who.is_confirmed(now));
    Ok(Center {
        user_id: who.user_id,
        show_invitation_code,
        invitation_code: show_invitation_code.then_some(code),
        show_access_token,
        has_access_token,
        access_token,
        avatar_changed_at: avatar_queries::changed_at(conn, who.account_id)?.map(to_wire),
        display_name: details.display_name(),
        company_name: details.company_name,
        first_name: details.first_name,
        last_name: details.last_name,
        address: details.address,
        city: details.city,
        country: details.country,
        postal_code: details.postal_code,
    })
}

/// The customer's details as stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = accounts)]
pub struct DetailsRow {
    first_name: String,
    last_name: String,
    company_name: String,
    phone: String,
    tax_number: String,
    website: String,
    messenger: String,
    address: String,
    city: String,
    country: String,
    postal_code: String,
}

impl From<DetailsRow> for AccountDetails {
    fn from(row: DetailsRow) -> AccountDetails {
        AccountDetails {
            first_name: row.first_name,
            last_name: row.last_name,
            company_name: row.company_name,
            phone: row.phone,
            tax_number: row.tax_number,
            website: row.website,
            messenger: row.messenger,
            address: row.address,
            city: row.city,
            country: row.country,
            postal_code: row.postal_code,
        }
    }
}

/// The customer's details, as shown on invoices.
pub fn account_details(conn: &mut Conn, account_id: i64) -> Result<AccountDetails, AppError> {
    Ok(accounts::table.find(account_id).select(DetailsRow::as_select()).first(conn)?.into())
}

/// Stores the validated details of an account.
pub fn update_account_details(conn: &mut Conn, account_id: i64, details: &AccountDetails) -> Result<(), AppError> {
    diesel::update(accounts::table.find(account_id))
        .set((
            accounts::first_name.eq(&details.first_name),
            accounts::last_name.eq(&details.last_name),
            accounts::company_name.eq(&details.company_name),
            accounts::phone.eq(&details.phone),
            accounts::tax_number.eq(&details.tax_number),
            accounts::website.eq(&details.website),
            accounts::messenger.eq(&details.messenger),
            accounts::address.eq(&details.address),
            accounts::city.eq(&details.city),
            accounts::country.eq(&details.country),
            accounts::postal_code.eq(&details.postal_code),
        ))
        .execute(conn)?;
    Ok(())
}
