//! SQL about notification settings: the kinds of events that users see on screen and get by mail.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{accounts, notification_choices as rows, users};
use postern_core::event::EventKind;
use postern_core::language::Language;
use postern_core::notification::{NotificationChoice, chosen_kinds};

/// A recipient of a mail.
pub struct Reader {
    pub user_id: i64,
    pub email: String,
    pub language: Language,
}

/// The users of an account who get mails about this kind of event. Users of a closed account have no address any more.
pub fn mail_readers(conn: &mut Conn, account_id: i64, kind: EventKind) -> Result<Vec<Reader>, AppError> {
    let of_kind = rows::user_id.eq(users::id).and(rows::kind.eq(kind));
    let readers: Vec<(i64, String, Language, Option<bool>)> = users::table
        .inner_join(accounts::table.on(accounts::id.eq(users::account_id)))
        .left_join(rows::table.on(of_kind))
        .filter(users::account_id.eq(account_id))
        .filter(accounts::closed_at.is_null())
        .order(users::id)
        .select((users::id, users::email, users::language, rows::by_mail.nullable()))
        .load(conn)?;
    let wants_mail = |chosen: Option<bool>| {
        let default = NotificationChoice::default_of(kind);
        NotificationChoice { by_mail: chosen.unwrap_or(default.by_mail), ..default }.in_effect().by_mail
    };
    let readers = readers.into_iter().filter(|reader| wants_mail(reader.3));
    Ok(readers.map(|(user_id, email, language, _)| Reader { user_id, email, language }).collect())
}

/// A user's settings for every kind.
pub fn choices(conn: &mut Conn, user_id: i64) -> Result<Vec<NotificationChoice>, AppError> {
    let stored: Vec<(EventKind, bool, bool)> = rows::table
        .filter(rows::user_id.eq(user_id))
        .select((rows::kind, rows::on_screen, rows::by_mail))
        .load(conn)?;
    let choice = |kind: EventKind| {
        let chosen = stored.iter().find(|row| row.0 == kind);
        let chosen = chosen.map(|(kind, on_screen, by_mail)| NotificationChoice {
            kind: *kind,
            on_screen: *on_screen,
            by_mail: *by_mail,
        });
        chosen.unwrap_or(NotificationChoice::default_of(kind)).in_effect()
    };
    Ok(chosen_kinds().map(choice).collect())
}

/// The kinds that a user has turned off on screen.
pub fn hidden_kinds(conn: &mut Conn, user_id: i64) -> Result<Vec<EventKind>, AppError> {
    let off = rows::table.filter(rows::user_id.eq(user_id)).filter(rows::on_screen.eq(false)).select(rows::kind);
    let mut hidden: Vec<EventKind> = off.load(conn)?;
    hidden.extend(EventKind::ALL.iter().copied().filter(|kind| !kind.is_for_screens()));
    Ok(hidden)
}

/// Stores a setting in its effective form.
pub fn choose(conn: &mut Conn, user_id: i64, choice: NotificationChoice) -> Result<(), AppError> {
    let NotificationChoice { kind, on_screen, by_mail } = choice.in_effect();
    let row =
        (rows::user_id.eq(user_id), rows::kind.eq(kind), rows::on_screen.eq(on_screen), rows::by_mail.eq(by_mail));
    let change = (rows::on_screen.eq(on_screen), rows::by_mail.eq(by_mail));
    let upsert = diesel::insert_into(rows::table).values(row).on_conflict((rows::user_id, rows::kind)).do_update();
    on_either!(conn, upsert.set(change).execute(conn)?);
    Ok(())
}

/// Turns off mails of a kind, and leaves the setting for the screen. Returns the previous effective setting.
pub fn end_mails(conn: &mut Conn, user_id: i64, kind: EventKind) -> Result<NotificationChoice, AppError> {
    let before = choice_of(conn, user_id, kind)?;
    if before.by_mail {
        choose(conn, user_id, NotificationChoice { by_mail: false, ..before })?;
    }
    Ok(before)
}

/// A user's setting for a kind.
pub fn choice_of(conn: &mut Conn, user_id: i64, kind: EventKind) -> Result<NotificationChoice, AppError> {
    let stored: Option<(bool, bool)> =
        rows::table.find((user_id, kind)).select((rows::on_screen, rows::by_mail)).first(conn).optional()?;
    let chosen = stored.map(|(on_screen, by_mail)| NotificationChoice { kind, on_screen, by_mail });
    Ok(chosen.unwrap_or(NotificationChoice::default_of(kind)).in_effect())
}
