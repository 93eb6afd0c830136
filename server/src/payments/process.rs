//! Processes callbacks, in one place: finds the payment, checks that the callback is genuine, and settles.
use crate::audit::{self, Actor, Entry};
use crate::charges::payments::{self, PaymentRow};
use crate::db::Conn;
use crate::error::AppError;
use crate::gateways::{Gateway, Polled, Reading, Report, StoredCallback, of_method};
use crate::payments::{settle, stored};
use crate::returns::apply::{apply, apply_known};
use crate::security::SecretKey;
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::order::Verdict;

/// Processes a stored callback and returns the verdict.
pub async fn process(app: &App, callback: StoredCallback) -> Result<Verdict, AppError> {
    let reading = read(app, gateway_of(&callback)?, &callback).await?;
    conclude(app, callback, reading).await
}

/// Processes a callback that was left behind. The gateway may be what held it up, so it is not asked here, where other callbacks and jobs would wait.
pub async fn process_left(app: &App, callback: StoredCallback) -> Result<Verdict, AppError> {
    let reading = gateway_of(&callback)?.read_callback(&app.config, &app.key, &callback);
    conclude(app, callback, reading).await
}

async fn conclude(app: &App, callback: StoredCallback, reading: Reading) -> Result<Verdict, AppError> {
    let gateway = gateway_of(&callback)?;
    take_back(app, gateway, &reading).await?;
    let (now, key) = (app.clock.now(), app.key.clone());
    let processed = app.db.write(move |conn| {
        let (payment_id, verdict) = judge(conn, gateway, &reading, &key, now)?;
        stored::record_verdict(conn, callback.id, payment_id, verdict, now)?;
        Ok(verdict)
    });
    let verdict = processed.await?;
    app.counts.note_callback(gateway.method(), verdict);
    Ok(verdict)
}

/// Processes a callback again that was refused, for an operator. If it is refused again, its verdict is the later one.
pub async fn replay(app: &App, callback: StoredCallback, actor: Actor) -> Result<Verdict, AppError> {
    let gateway = gateway_of(&callback)?;
    let reading = read(app, gateway, &callback).await?;
    take_back(app, gateway, &reading).await?;
    let (now, key) = (app.clock.now(), app.key.clone());
    let replayed = app.db.write(move |conn| {
        let before = stored::lock_refused(conn, callback.id)?;
        let (payment_id, verdict) = judge(conn, gateway, &reading, &key, now)?;
        stored::replace_verdict(conn, callback.id, payment_id, verdict, now)?;
        let payment = payment_id.map(|id| payments::public_id_of(conn, id)).transpose()?;
        let entry = Entry::new(AuditAction::CallbackReplayed).subject(payment.unwrap_or_default());
        let changes = [AuditChange {
            field: AuditField::Verdict,
            before: Some(before.as_str().to_owned()),
            after: Some(verdict.as_str().to_owned()),
        }];
        audit::record(conn, &actor, entry.changes(changes), now)?;
        Ok(verdict)
    });
    replayed.await
}

fn gateway_of(callback: &StoredCallback) -> Result<&'static dyn Gateway, AppError> {
    of_method(callback.gateway).ok_or_else(|| AppError::internal("a callback of the wallet was stored"))
}

/// What a callback says; if it says only that something happened, what the gateway answers when it is polled. No transaction is open meanwhile. If the
/// gateway does not answer, it is polled again later.
async fn read(app: &App, gateway: &dyn Gateway, callback: &StoredCallback) -> Result<Reading, AppError> {
    let reading = match gateway.read_callback(&app.config, &app.key, callback) {
        Reading::Source(source) => match gateway.payment_of(app, &source).await {
            Ok(Some(public_id)) => Reading::Poll(public_id),
            Ok(None) => Reading::OtherMerchant,
            Err(error) => {
                tracing::warn!(%error, "a gateway could not be asked which payment a callback is about");
                Reading::Source(source)
            }
        },
        reading => reading,
    };
    let Reading::Poll(public_id) = reading else { return Ok(reading) };
    let (id, method) = (public_id.clone(), gateway.method());
    let payment = app.db.read(move |conn| payments::by_public_id(conn, &id)).await?;
    let Some(payment) = payment.filter(|payment| payment.payment_method == method) else {
        return Ok(Reading::Poll(public_id));
    };
    Ok(match gateway.query(app, &payment).await {
        Ok(None) => Reading::Irrelevant,
        Ok(Some(Polled { report, returns })) => {
            let charge_id = payment.charge_id;
            Reading::Report(Report { public_id, charge_id, report, returns, failure: None })
        }
        Err(error) => {
            tracing::warn!(payment_id = payment.id, %error, "a gateway could not be asked about a callback");
            Reading::Poll(public_id)
        }
    })
}

/// Takes back what a callback reports as taken back. This comes first: if a crash follows, the callback is processed again.
async fn take_back(app: &App, gateway: &'static dyn Gateway, reading: &Reading) -> Result<(), AppError> {
    let Reading::Report(report) = reading else { return Ok(()) };
    if report.returns.is_empty() {
        return Ok(());
    }
    let (id, charge_id, returns) = (report.public_id.clone(), report.charge_id.clone(), report.returns.clone());
    let found = app.db.read(move |conn| find(conn, gateway, &id, charge_id.as_deref())).await?;
    match found {
        Some(payment_id) => apply(app, payment_id, returns).await,
        None => Ok(()),
    }
}

/// Settles what a callback reports. Returns the payment that it is about.
fn judge(
    conn: &mut Conn,
    gateway: &dyn Gateway,
    reading: &Reading,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<(Option<i64>, Verdict), AppError> {
    Ok(match reading {
        Reading::Forged => (None, Verdict::BadSignature),
        Reading::OtherMerchant => (None, Verdict::WrongMerchant),
        Reading::Irrelevant => (None, Verdict::Irrelevant),
        // An operator can have it processed again; what it says is asked for each night besides.
        Reading::Source(_) => (None, Verdict::UnknownPayment),
        Reading::Poll(public_id) => {
            let payment = payments::by_public_id(conn, public_id)?;
            match payment.filter(|payment| payment.payment_method == gateway.method()) {
                None => (None, Verdict::UnknownPayment),
                Some(payment) => {
                    payments::poll_at(conn, payment.id, now)?;
                    (Some(payment.id), Verdict::Irrelevant)
                }
            }
        }
        Reading::Report(report) => match find(conn, gateway, &report.public_id, report.charge_id.as_deref())? {
            None => (None, Verdict::UnknownPayment),
            Some(id) => {
                let verdict = settle::settle(conn, key, id, &report.report, report.failure, now)?;
                apply_known(conn, id, &[], now)?;
                (Some(id), verdict)
            }
        },
    })
}

/// The payment of this gateway that a report is about. A different gateway id means a different payment.
fn find(
    conn: &mut Conn,
    gateway: &dyn Gateway,
    public_id: &str,
    charge_id: Option<&str>,
) -> Result<Option<i64>, AppError> {
    let payment = payments::by_public_id(conn, public_id)?;
    let payment = payment.filter(|payment| payment.payment_method == gateway.method());
    let is_same = |payment: &PaymentRow| match (payment.charge_id.as_deref(), charge_id) {
        (Some(known), Some(reported)) => known == reported,
        _ => true,
    };
    Ok(payment.filter(is_same).map(|payment| payment.id))
}
