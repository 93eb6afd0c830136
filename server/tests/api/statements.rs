//! Statement timeouts of requests.
use crate::shop::Shop;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use postern_core::code::Code;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::error::AppError;
use std::time::{Duration, Instant};

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Counts up to a limit in SQL; to the largest one it takes years.
fn count_to(conn: &mut Conn, limit: i64) -> Result<i64, AppError> {
    let count = "WITH RECURSIVE counted(number) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT number + 1 FROM counted WHERE number < ";
    let query = format!("{count}{limit}) SELECT MAX(number) AS number FROM counted");
    Ok(sql_query(query).get_result::<Number>(conn)?.number)
}

fn is_too_slow<T>(result: Result<T, AppError>) -> bool {
    matches!(result, Err(AppError::Answer(refusal)) if refusal.code == Code::StatementTooSlow)
}

#[actix_web::test]
async fn statements_of_requests_time_out_and_those_of_jobs_do_not() {
    let shop = Shop::open();
    let requests = shop.app.db.limited(Duration::from_millis(200));
    let begin = Instant::now();
    assert!(is_too_slow(requests.read(|conn| count_to(conn, i64::MAX)).await), "a read");
    assert!(is_too_slow(requests.write(|conn| count_to(conn, i64::MAX)).await), "a write");
    assert!(is_too_slow(requests.write_blocking(|conn| count_to(conn, i64::MAX))), "a write that blocks");
    assert!(is_too_slow(requests.snapshot_blocking(|conn| count_to(conn, i64::MAX))), "a snapshot");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let slow = shop.app.db.read(|conn| {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(400) {
            count_to(conn, 10_000)?;
        }
        count_to(conn, 1_000_000)
    });
    assert_eq!(slow.await.expect("what has no limit"), 1_000_000);
    // The limit is per statement, not per request.
    let many = requests.read(|conn| {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(400) {
            count_to(conn, 1_000)?;
        }
        Ok(())
    });
    many.await.expect("many short statements");
}

#[actix_web::test]
async fn a_cancelled_write_does_not_affect_others() {
    let shop = Shop::open();
    let requests = shop.app.db.limited(Duration::from_millis(300));
    let note = |number: i64| {
        let requests = requests.clone();
        let write = move |conn: &mut Conn| {
            sql_query(format!(
                "INSERT INTO throttles (bucket, hits, window_ends_at) VALUES ('{number}', 1, '2026-01-01 00:00:00')"
            ))
            .execute(conn)?;
            if number % 5 == 0 { count_to(conn, i64::MAX) } else { Ok(number) }
        };
        actix_web::rt::spawn(async move { requests.write(write).await })
    };
    let writes: Vec<_> = (1..=10).map(note).collect();
    for (number, write) in (1..).zip(writes) {
        let written = write.await.expect("an answer");
        match number % 5 {
            0 => assert!(is_too_slow(written), "{number}"),
            _ => assert_eq!(written.expect("written"), number),
        }
    }
    let kept = sql_query("SELECT COUNT(*) AS number FROM throttles WHERE window_ends_at = '2026-01-01 00:00:00'");
    let kept = shop.app.db.read_blocking(|conn| Ok(kept.get_result::<Number>(conn)?.number));
    assert_eq!(kept.expect("a number"), 8);
}
