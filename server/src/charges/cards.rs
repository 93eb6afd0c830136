//! Saved cards, and card requests, as rows.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{card_requests, remembered_cards};
use crate::security::{SecretKey, is_token};
use chrono::NaiveDateTime;
use postern_core::auto_top_up::card_name;
use postern_core::language::Language;
use postern_core::order::{PaymentMethod, PaymentState};
use serde::Serialize;
use utoipa::ToSchema;

/// A saved card, as shown to its owner.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CardView {
    /// For example `Visa •••• 4242`.
    pub name: String,
    pub payment_method: PaymentMethod,
    /// For example `visa`.
    pub brand: String,
    pub last_four: String,
    pub expires_month: i32,
    pub expires_year: i32,
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = remembered_cards)]
pub struct SavedCard {
    pub id: i64,
    pub payment_method: PaymentMethod,
    pub brand: String,
    pub last_four: String,
    pub expires_month: i32,
    pub expires_year: i32,
}

impl SavedCard {
    pub fn view(self) -> CardView {
        let name = card_name(&self.brand, &self.last_four);
        let SavedCard { payment_method, brand, last_four, expires_month, expires_year, .. } = self;
        CardView { name, payment_method, brand, last_four, expires_month, expires_year }
    }
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = card_requests)]
pub struct CardRequest {
    pub id: i64,
    pub public_id: String,
    pub account_id: i64,
    pub payment_method: PaymentMethod,
    pub state: PaymentState,
    pub language: Language,
    /// The gateway's id of the request, once known.
    pub session_id: Option<String>,
    pub created_at: NaiveDateTime,
}

impl CardRequest {
    pub fn is_pending(&self) -> bool {
        self.state == PaymentState::Pending
    }

    /// The screen that shows the request's outcome.
    pub fn return_path(&self) -> String {
        format!("/billing/wallet?CardRequestId={}", self.public_id)
    }
}

pub fn by_public_id(conn: &mut Conn, public_id: &str) -> Result<Option<CardRequest>, AppError> {
    if !is_token(public_id) {
        return Ok(None);
    }
    let query = card_requests::table.filter(card_requests::public_id.eq(public_id)).select(CardRequest::as_select());
    Ok(query.first(conn).optional()?)
}

/// Records the gateway's id of a request. If several record one concurrently, the first wins; returns the recorded id.
pub fn note_session(conn: &mut Conn, request_id: i64, session_id: &str) -> Result<Option<String>, AppError> {
    let unknown = card_requests::table.find(request_id).filter(card_requests::session_id.is_null());
    diesel::update(unknown).set(card_requests::session_id.eq(session_id)).execute(conn)?;
    Ok(card_requests::table.find(request_id).select(card_requests::session_id).first(conn)?)
}

/// The card that automatic top-ups of the account are charged to.
pub fn current(conn: &mut Conn, account_id: i64) -> Result<Option<SavedCard>, AppError> {
    let current = remembered_cards::table
        .filter(remembered_cards::account_id.eq(account_id))
        .filter(remembered_cards::forgotten_at.is_null());
    Ok(current.select(SavedCard::as_select()).first(conn).optional()?)
}

/// A card by its id, forgotten or not.
pub fn find(conn: &mut Conn, card_id: i64) -> Result<SavedCard, AppError> {
    Ok(remembered_cards::table.find(card_id).select(SavedCard::as_select()).first(conn)?)
}

/// The gateway's reference of a card, needed to charge it; `None` once the gateway has deleted the card.
pub fn reference(conn: &mut Conn, key: &SecretKey, card_id: i64) -> Result<Option<String>, AppError> {
    let sealed: Option<String> =
        remembered_cards::table.find(card_id).select(remembered_cards::reference_sealed).first(conn)?;
    sealed.map(|sealed| key.open(&sealed).map_err(AppError::Internal)).transpose()
}
