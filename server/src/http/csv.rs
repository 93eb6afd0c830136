//! Answers that are CSV files.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::list::{Direction, ListRequest, Page, Sort};
use crate::state::App;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpResponse, HttpResponseBuilder, web};
use futures_util::stream::try_unfold;
use postern_core::constants::PAGE_SIZES;
use postern_core::csv::begin_file;

fn headers(name: &str) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")));
    response
}

/// A CSV file with this name.
pub fn csv_file(name: &str, text: String) -> HttpResponse {
    headers(name).body(text)
}

/// All rows of a list as a CSV file, sorted by this field, oldest first; read page by page while it is sent. Its rows are only added, so that
/// pages from the beginning do not shift.
pub async fn csv_of_list<T, R>(
    app: web::Data<App>,
    name: &str,
    columns: &'static [&'static str],
    (sort, list): (&str, ListRequest),
    rows: R,
    push: fn(&mut String, &T),
) -> Result<HttpResponse, AppError>
where
    T: Send + 'static,
    R: Fn(&mut Conn, &ListRequest) -> Result<Page<T>, AppError> + Clone + Send + 'static,
{
    let sort = vec![Sort { field: sort.to_owned(), direction: Direction::Asc }];
    let list = ListRequest { page_size: PAGE_SIZES.into_iter().max(), sort, ..list };
    // Validate the list's filters before the file begins.
    let (first, checked) = (list.clone(), rows.clone());
    app.db.read(move |conn| checked(conn, &first)).await?;
    let begin = ListRequest { page: None, after: None, ..list };
    let parts = try_unfold((Some(begin), app), move |(asked, app)| {
        let rows = rows.clone();
        async move {
            let Some(asked) = asked else { return Ok::<_, AppError>(None) };
            let this = asked.clone();
            let found = app.db.read(move |conn| rows(conn, &this)).await?;
            let mut text = if asked.after.is_none() { begin_file(columns) } else { String::new() };
            found.rows.iter().for_each(|row| push(&mut text, row));
            let next = found.next.map(|next| ListRequest { after: Some(next), ..asked });
            Ok(Some((web::Bytes::from(text), (next, app))))
        }
    });
    Ok(headers(name).streaming(parts))
}
