//! The operator's calls about jobs.
use crate::shop::Shop;
use chrono::TimeDelta;
use postern_core::job::JobName;
use postern_core::time::to_wire;
use postern_server::system::runs::{self, Run};
use serde_json::{Value, json};
use std::time::Duration;

#[actix_web::test]
async fn operators_see_the_last_run_of_every_job_and_why_one_fails() {
    let shop = Shop::open();
    let operator = shop.operator();
    let jobs = async || shop.call(&operator, "Operator/GetJobList", json!({})).await.data;
    assert_eq!(jobs().await, json!([]), "nothing has run");
    shop.run_jobs().await;
    let listed = jobs().await;
    let rows = listed.as_array().expect("rows");
    let names: Vec<&str> = rows.iter().filter_map(|job| job["Job"].as_str()).collect();
    assert_eq!(names, JobName::ALL.iter().map(|job| job.as_str()).collect::<Vec<_>>());
    assert!(rows.iter().all(|job| job["State"] == "running" && job["Error"].is_null()), "{listed}");
    let began = shop.app.clock.now();
    let note = |seconds: i64, error: Option<&str>| {
        let run = Run {
            job: JobName::SendMails,
            pause: Duration::from_secs(1),
            began_at: began + TimeDelta::seconds(seconds),
            took: Duration::from_millis(40),
            error: error.map(str::to_owned),
        };
        shop.app.db.write_blocking(move |conn| runs::store(conn, std::slice::from_ref(&run))).expect("a row");
    };
    let mails = async || {
        let listed = jobs().await;
        listed.as_array().expect("rows").iter().find(|job| job["Job"] == "send_mails").cloned().unwrap_or(Value::Null)
    };
    note(1, Some("the disk is full"));
    note(3, Some("the disk is full"));
    // An earlier run of another server comes late.
    note(2, None);
    let failing = mails().await;
    assert_eq!((&failing["State"], &failing["Error"]), (&json!("failing"), &json!("the disk is full")));
    assert_eq!(failing["FailingSince"], to_wire(began + TimeDelta::seconds(1)), "{failing}");
    let tasks = shop.call(&operator, "Operator/GetTaskList", json!({})).await.data;
    assert_eq!(tasks, json!([{"Task": "failing_jobs", "Count": 1}]));
    note(4, None);
    assert_eq!(mails().await["FailingSince"], Value::Null);
    shop.app.clock.advance(TimeDelta::minutes(12));
    assert_eq!(mails().await["State"], "late");
}
