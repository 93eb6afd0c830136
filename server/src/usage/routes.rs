//! The calls about usage.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::csv::csv_file;
use crate::http::request::{Body, SignedIn};
use crate::state::App;
use crate::usage::charts::usage;
use crate::usage::request::validate;
use crate::usage::types::{Usage, UsageRequest};
use actix_web::{HttpResponse, post, web};
use postern_core::csv::{begin_file, push_row};

type AppData = web::Data<App>;

/// Returns the account's usage over a range: one point per hour, day or month, and a split by proxy user, node, country or target. A range has at
/// most 366 days, or 31 days by hour.
#[utoipa::path(request_body = UsageRequest, responses((status = 200, body = Answer<Usage>)))]
#[post("/Usage/GetUsage")]
pub async fn get_usage(app: AppData, who: SignedIn, Body(request): Body<UsageRequest>) -> Answered<Usage> {
    let request = validate(&request)?;
    answer(app.db.read(move |conn| usage(conn, who.account_id, &request)).await?)
}

/// Exports usage as a CSV file: the split, or the points if there is no split.
#[utoipa::path(request_body = UsageRequest, responses((status = 200, content((String = "text/csv")))))]
#[post("/Usage/ExportUsage")]
pub async fn export_usage(
    app: AppData,
    who: SignedIn,
    Body(request): Body<UsageRequest>,
) -> Result<HttpResponse, AppError> {
    let request = validate(&request)?;
    let found = app.db.read(move |conn| usage(conn, who.account_id, &request)).await?;
    Ok(csv_file("usage", csv(&found)))
}

fn csv(usage: &Usage) -> String {
    match &usage.split {
        Some(parts) => {
            let mut out = begin_file(&["Name", "Label", "Bytes", "Requests", "PreviousBytes"]);
            for part in parts {
                let numbers = [part.bytes, part.requests, part.previous_bytes].map(|number| number.to_string());
                let [bytes, requests, previous] = numbers;
                push_row(
                    &mut out,
                    &[part.name.clone(), part.label.clone().unwrap_or_default(), bytes, requests, previous],
                );
            }
            out
        }
        None => {
            let mut out = begin_file(&["StartsAt (UTC)", "UploadBytes", "DownloadBytes", "Requests"]);
            for point in &usage.points {
                let numbers = [point.upload_bytes, point.download_bytes, point.requests];
                let [upload, download, requests] = numbers.map(|number| number.to_string());
                push_row(&mut out, &[point.starts_at.clone(), upload, download, requests]);
            }
            out
        }
    }
}
