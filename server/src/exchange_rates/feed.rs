//! Fetches exchange rates from feeds: JSON documents at addresses that operators entered, so through the guard of outgoing requests.
use crate::error::AppError;
use crate::exchange_rates::rows::{self, RateRow};
use crate::state::App;
use chrono::TimeDelta;
use postern_core::exchange::{FEED_MINUTES, FeedProblem, Rate};
use serde_json::Value;

/// The longest document that is read.
const MAX_BYTES: usize = 1 << 20;

/// The rate at this path of the document, and the margin.
pub async fn fetch(app: &App, url: &str, path: &str, margin: u32) -> Result<Rate, FeedProblem> {
    let document = app.webhooks.sender.fetch(url, MAX_BYTES).await.map_err(|problem| {
        tracing::warn!(url, problem = problem.as_str(), "a feed of exchange rates did not answer");
        FeedProblem::NoAnswer
    })?;
    let document: Value = serde_json::from_slice(&document).map_err(|_| FeedProblem::NoRate)?;
    let text = match document.pointer(path) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => return Err(FeedProblem::NoRate),
    };
    Rate::of_feed(&text).and_then(|rate| rate.with_margin(margin)).ok_or(FeedProblem::NoRate)
}

/// Fetches the rates that are due. A rate that is far from the one before is not taken: the feed may have changed its meaning, and an operator has to
/// look.
pub async fn fetch_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = |row: &RateRow| now - row.set_at >= TimeDelta::minutes(FEED_MINUTES);
    for row in app.db.read(rows::all).await?.into_iter().filter(due) {
        let (Some(url), Some(path)) = (&row.feed_url, &row.feed_path) else { continue };
        let before = row.rate()?;
        let answer = match fetch(app, url, path, row.margin()).await {
            Ok(rate) if rate.is_far_from(before) => Err(FeedProblem::TooFar),
            answer => answer,
        };
        app.db.write(move |conn| rows::note(conn, &row, answer, now)).await?;
    }
    Ok(())
}
