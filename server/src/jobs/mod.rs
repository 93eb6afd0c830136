//! Background jobs, run by every server process. Rows are claimed in the database, so any number of processes share the work, and another process
//! takes over the work of a killed one.
mod balances;
mod books;
pub mod gateways;
pub mod links;
pub mod mails;
pub mod nodes;
pub mod orders;
pub mod renewals;
mod servers;
pub mod stock;
pub mod totals;
pub mod traffic;
pub mod upkeep;

use crate::error::AppError;
use crate::payments::cards;
use crate::referrals::commissions;
use crate::state::App;
use crate::{prices, proxy_users, support, usage, webhooks};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use tokio::sync::watch;

type Work = Pin<Box<dyn Future<Output = Result<(), AppError>> + Send>>;

struct Job {
    name: &'static str,
    pause: Duration,
    work: fn(App) -> Work,
}

/// For jobs that a user is waiting for.
const AT_ONCE: Duration = Duration::from_secs(1);

const SOON: Duration = Duration::from_secs(2);
const OFTEN: Duration = Duration::from_secs(20);
const SOME_TIME: Duration = Duration::from_secs(600);

/// In the order in which a round runs them.
const JOBS: &[Job] = &[
    Job { name: "expire orders", pause: SOON, work: |app| Box::pin(async move { orders::expire(&app).await }) },
    Job { name: "poll gateways", pause: SOON, work: |app| Box::pin(async move { gateways::poll(&app).await }) },
    Job { name: "poll card requests", pause: SOON, work: |app| Box::pin(async move { cards::poll_due(&app).await }) },
    Job {
        name: "delete forgotten cards",
        pause: OFTEN,
        work: |app| Box::pin(async move { cards::delete_forgotten(&app).await }),
    },
    Job { name: "process callbacks", pause: SOON, work: |app| Box::pin(async move { gateways::process(&app).await }) },
    Job { name: "renew nodes", pause: SOON, work: |app| Box::pin(async move { renewals::renew(&app).await }) },
    Job {
        name: "check balances",
        pause: SOON,
        work: |app| Box::pin(async move { balances::check_balances(&app).await }),
    },
    Job { name: "remind owners", pause: SOME_TIME, work: |app| Box::pin(async move { renewals::remind(&app).await }) },
    Job { name: "reorder traffic", pause: SOON, work: |app| Box::pin(async move { traffic::reorder(&app).await }) },
    Job {
        name: "remind owners of traffic",
        pause: SOME_TIME,
        work: |app| Box::pin(async move { traffic::remind(&app).await }),
    },
    Job {
        name: "make planned price changes",
        pause: SOON,
        work: |app| Box::pin(async move { prices::planned::make_due(&app).await }),
    },
    Job {
        name: "mature commissions",
        pause: OFTEN,
        work: |app| Box::pin(async move { commissions::mature(&app).await }),
    },
    Job { name: "change node states", pause: SOON, work: |app| Box::pin(async move { nodes::move_on(&app).await }) },
    Job {
        name: "aggregate usage",
        pause: AT_ONCE,
        work: |app| Box::pin(async move { usage::aggregate_as_load_allows(&app).await }),
    },
    Job {
        name: "change proxy user states",
        pause: SOON,
        work: |app| Box::pin(async move { proxy_users::upkeep::move_on(&app).await }),
    },
    Job {
        name: "delete old proxy users",
        pause: OFTEN,
        work: |app| Box::pin(async move { proxy_users::upkeep::forget(&app).await }),
    },
    Job {
        name: "refresh access",
        pause: AT_ONCE,
        work: |app| Box::pin(async move { app.authorizer.refresh(&app.db.out_of_turn(), app.clock.now()).await }),
    },
    Job {
        name: "refresh support streams",
        pause: AT_ONCE,
        work: |app| Box::pin(async move { app.support.refresh(&app.db, app.clock.now()).await }),
    },
    Job {
        name: "mail unread messages",
        pause: OFTEN,
        work: |app| Box::pin(async move { support::unread_mails::queue_due(&app).await }),
    },
    Job {
        name: "delete old usage",
        pause: SOME_TIME,
        work: |app| Box::pin(async move { usage::keeping::keep(&app).await }),
    },
    Job { name: "compact stock counts", pause: OFTEN, work: |app| Box::pin(async move { stock::fold(&app).await }) },
    Job { name: "compact totals", pause: OFTEN, work: |app| Box::pin(async move { totals::fold(&app).await }) },
    Job {
        name: "dispatch events",
        pause: AT_ONCE,
        work: |app| Box::pin(async move { webhooks::dispatch::dispatch(&app).await }),
    },
    Job {
        name: "deliver events",
        pause: AT_ONCE,
        work: |app| Box::pin(async move { webhooks::deliver::deliver(&app).await }),
    },
    Job {
        name: "delete old deliveries",
        pause: SOME_TIME,
        work: |app| Box::pin(async move { webhooks::keeping::forget(&app).await }),
    },
    Job {
        name: "answer link requests",
        pause: AT_ONCE,
        work: |app| Box::pin(async move { links::answer(&app).await }),
    },
    Job {
        name: "log failed sign-ins",
        pause: SOON,
        work: |app| Box::pin(async move { links::log_failed_sign_ins(&app).await }),
    },
    Job { name: "send mails", pause: AT_ONCE, work: |app| Box::pin(async move { mails::send(&app).await }) },
    Job { name: "check the books", pause: SOME_TIME, work: |app| Box::pin(async move { books::check(&app).await }) },
    Job {
        name: "close unused connections",
        pause: SOON,
        work: |app| {
            Box::pin(async move {
                app.db.close_unused().await;
                Ok(())
            })
        },
    },
    Job { name: "watch proxy servers", pause: OFTEN, work: |app| Box::pin(async move { servers::watch(&app).await }) },
    Job { name: "upkeep", pause: SOME_TIME, work: |app| Box::pin(async move { upkeep::forget(&app).await }) },
];

/// Runs until `stop` is signalled. Each job has a task of its own: a mail server that hangs does not delay orders.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    let app = App { db: app.db.for_jobs(), ..app };
    let tasks: Vec<_> = JOBS.iter().map(|job| tokio::spawn(repeat(job, app.clone(), stop.clone()))).collect();
    for task in tasks {
        if let Err(error) = task.await {
            tracing::error!(%error, "a job ended");
        }
    }
    app.webhooks.finish().await;
}

/// A job that fails or panics is logged and retried after its interval.
async fn repeat(job: &'static Job, app: App, mut stop: watch::Receiver<bool>) {
    loop {
        match tokio::spawn((job.work)(app.clone())).await {
            Ok(Ok(())) => {}
            // Said once, where it is noticed.
            Ok(Err(error)) if error.is_unavailable() => tracing::debug!(job = job.name, %error, "a job failed"),
            Ok(Err(error)) => tracing::error!(job = job.name, %error, "a job failed"),
            Err(error) => tracing::error!(job = job.name, %error, "a job panicked"),
        }
        tokio::select! {
            _ = tokio::time::sleep(job.pause) => {}
            _ = stop.changed() => return,
        }
    }
}

/// One round of all jobs. Tests call it instead of waiting.
pub async fn round(app: &App) -> Vec<(&'static str, Result<(), AppError>)> {
    let mut done = Vec::new();
    for job in JOBS {
        done.push((job.name, (job.work)(app.clone()).await));
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_mails_are_sent_within_two_seconds() {
        let pauses = JOBS.iter().filter(|job| ["answer link requests", "send mails"].contains(&job.name));
        let (jobs, longest) = pauses.fold((0, Duration::ZERO), |(jobs, sum), job| (jobs + 1, sum + job.pause));
        assert_eq!((jobs, longest), (2, Duration::from_secs(2)));
    }
}
