//! The account and its users: details, sessions, access, settings and what happened.
use crate::data_export::rows::*;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{
    accounts, api_keys, audit_entries, avatars, email_changes, events, known_devices, legal_acceptances,
    notification_choices, notification_reads, security_log, sessions, two_factors, users,
};
use chrono::NaiveDateTime;
use postern_core::account::{AccountState, EmailChangeState};
use postern_core::audit::AuditAction;
use postern_core::event::EventKind;
use postern_core::language::Language;
use postern_core::permission::Level;
use postern_core::security_log::SecurityKind;

pub const SECTIONS: &[Section] = &[
    section("Account", &["accounts"], account),
    section("OperatorActions", &["audit_entries"], operator_actions),
    section("Users", &["users"], of_users),
    section("Sessions", &["sessions"], of_sessions),
    section("Devices", &["known_devices"], devices),
    section("TwoFactor", &["two_factors"], two_factor),
    section("SecurityLog", &["security_log"], log),
    section("EmailChanges", &["email_changes"], of_email_changes),
    section("ApiKeys", &["api_keys"], keys),
    section("AcceptedTexts", &["legal_acceptances"], accepted_texts),
    section("Picture", &["avatars"], picture),
    section("Events", &["events"], of_events),
    section("NotificationSettings", &["notification_choices"], notification_settings),
    section("NotificationsRead", &["notification_reads"], notifications_read),
];

section_of_one!(account, accounts by id, {
    id: i64 => plain as "AccountId",
    level: Level => plain as "Level",
    state: AccountState => plain as "State",
    invite_code: String => plain as "InvitationCode",
    marketing: String => inner as "Marketing",
    company_name: String => plain as "CompanyName",
    first_name: String => plain as "FirstName",
    last_name: String => plain as "LastName",
    address: String => plain as "Address",
    city: String => plain as "City",
    country: String => plain as "Country",
    postal_code: String => plain as "PostalCode",
    phone: String => plain as "Phone",
    tax_number: String => plain as "TaxNumber",
    website: String => plain as "Website",
    messenger: String => plain as "Messenger",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of!(of_users, users, {
    email: String => plain as "Email",
    language: Language => plain as "Language",
    time_zone: String => plain as "TimeZone",
    read_up_to: i64 => plain as "ReadUpTo",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of_users!(of_sessions, sessions, {
    address: String => plain as "Address",
    user_agent: String => plain as "UserAgent",
    created_at: NaiveDateTime => time as "CreatedAt",
    last_used_at: Option<NaiveDateTime> => maybe_time as "LastUsedAt",
    expires_at: NaiveDateTime => time as "ExpiresAt",
    revoked_at: Option<NaiveDateTime> => maybe_time as "RevokedAt",
});

fn devices(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = known_devices::table.filter(known_devices::user_id.eq_any(user_ids(conn, account_id)?));
    Ok(Part::whole(objects!(conn, own, known_devices, {
        first_seen_at: NaiveDateTime => time as "FirstSeenAt",
        last_seen_at: NaiveDateTime => time as "LastSeenAt",
    })))
}

section_of_users!(log, security_log, {
    kind: SecurityKind => plain as "Kind",
    address: String => plain as "Address",
    user_agent: String => plain as "UserAgent",
    detail: String => plain as "Detail",
    created_at: NaiveDateTime => time as "At",
});

section_of_users!(of_email_changes, email_changes, {
    old_email: String => plain as "OldEmail",
    new_email: String => plain as "NewEmail",
    state: EmailChangeState => plain as "State",
    created_at: NaiveDateTime => time as "CreatedAt",
});

fn keys(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = api_keys::table.filter(api_keys::account_id.eq(account_id)).filter(api_keys::revoked_at.is_null());
    Ok(Part::whole(objects!(conn, own.order(api_keys::id), api_keys, {
        name: String => plain as "Name",
        prefix: String => plain as "Prefix",
        scopes: String => inner as "Scopes",
        addresses: String => inner as "Addresses",
        created_at: NaiveDateTime => time as "CreatedAt",
        expires_at: Option<NaiveDateTime> => maybe_time as "ExpiresAt",
        last_used_at: Option<NaiveDateTime> => maybe_time as "LastUsedAt",
        last_used_address: Option<String> => plain as "LastUsedAddress",
    })))
}

fn accepted_texts(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = legal_acceptances::table.filter(legal_acceptances::user_id.eq_any(user_ids(conn, account_id)?));
    Ok(Part::whole(objects!(conn, own.order(legal_acceptances::legal_text_id), legal_acceptances, {
        legal_text_id: i64 => plain as "LegalTextId",
        accepted_at: NaiveDateTime => time as "AcceptedAt",
        address: String => plain as "Address",
    })))
}

section_of_one!(picture, avatars by account_id, {
    png: Vec<u8> => bytes as "Png",
    changed_at: NaiveDateTime => time as "ChangedAt",
});

section_of!(of_events, events, {
    kind: EventKind => plain as "Kind",
    data: String => inner as "Data",
    created_at: NaiveDateTime => time as "CreatedAt",
});

// Reasons and messages are the operators' notes to each other, or are elsewhere in the file.
section_of!(operator_actions, audit_entries, {
    action: AuditAction => plain as "Action",
    at: NaiveDateTime => time as "At",
});

fn two_factor(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = two_factors::table.filter(two_factors::user_id.eq_any(user_ids(conn, account_id)?));
    Ok(Part::whole(objects!(conn, own, two_factors, {
        user_id: i64 => plain as "UserId",
        begun_at: NaiveDateTime => time as "BegunAt",
        turned_on_at: Option<NaiveDateTime> => maybe_time as "TurnedOnAt",
    })))
}

/// Those that differ from the defaults.
fn notification_settings(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = notification_choices::table.filter(notification_choices::user_id.eq_any(user_ids(conn, account_id)?));
    Ok(Part::whole(objects!(conn, own, notification_choices, {
        user_id: i64 => plain as "UserId",
        kind: EventKind => plain as "Kind",
        on_screen: bool => plain as "OnScreen",
        by_mail: bool => plain as "ByMail",
    })))
}

/// Events that were marked as read one by one; those up to `ReadUpTo` of `Users` are read as well.
fn notifications_read(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = notification_reads::table.filter(notification_reads::user_id.eq_any(user_ids(conn, account_id)?));
    Ok(Part::whole(objects!(conn, own, notification_reads, {
        user_id: i64 => plain as "UserId",
        event_id: i64 => plain as "EventId",
    })))
}
