//! Background jobs, run by every server process. Rows are claimed in the database, so any number of processes share the work, and another process
//! takes over the work of a killed one.
mod balances;
mod books;
mod debts;
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
use crate::exchange_rates::feed;
use crate::payments::{cards, compare};
use crate::referrals::commissions;
use crate::returns::send;
use crate::state::App;
use crate::system::runs::{self, Run, Runs};
use crate::{business, prices, proxy_users, support, usage, webhooks};
use postern_core::job::JobName;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};
use tokio::sync::watch;

type Work = Pin<Box<dyn Future<Output = Result<(), AppError>> + Send>>;

struct Job {
    name: JobName,
    pause: Duration,
    work: fn(App) -> Work,
}

/// For jobs that a user is waiting for.
const AT_ONCE: Duration = Duration::from_secs(1);

const SOON: Duration = Duration::from_secs(2);
const OFTEN: Duration = Duration::from_secs(20);
const SOME_TIME: Duration = Duration::from_secs(600);

/// How often the runs of this process are stored for operators.
const NOTED: Duration = Duration::from_secs(60);
/// For the first time: after a start, operators look whether all jobs run.
const FIRST_NOTED: Duration = Duration::from_secs(5);

/// In the order in which a round runs them.
const JOBS: &[Job] = &[
    Job { name: JobName::ExpireOrders, pause: SOON, work: |app| Box::pin(async move { orders::expire(&app).await }) },
    Job { name: JobName::PollGateways, pause: SOON, work: |app| Box::pin(async move { gateways::poll(&app).await }) },
    Job {
        name: JobName::FetchExchangeRates,
        pause: SOME_TIME,
        work: |app| Box::pin(async move { feed::fetch_due(&app).await }),
    },
    Job {
        name: JobName::CompareWithGateways,
        pause: SOME_TIME,
        work: |app| Box::pin(async move { compare::compare_due(&app).await }),
    },
    Job { name: JobName::SendRefunds, pause: SOON, work: |app| Box::pin(async move { send::send_due(&app).await }) },
    Job {
        name: JobName::EndUnpaidProxies,
        pause: OFTEN,
        work: |app| Box::pin(async move { debts::end_bought(&app).await }),
    },
    Job {
        name: JobName::PollCardRequests,
        pause: SOON,
        work: |app| Box::pin(async move { cards::poll_due(&app).await }),
    },
    Job {
        name: JobName::DeleteForgottenCards,
        pause: OFTEN,
        work: |app| Box::pin(async move { cards::delete_forgotten(&app).await }),
    },
    Job {
        name: JobName::ProcessCallbacks,
        pause: SOON,
        work: |app| Box::pin(async move { gateways::process(&app).await }),
    },
    Job { name: JobName::RenewNodes, pause: SOON, work: |app| Box::pin(async move { renewals::renew(&app).await }) },
    Job {
        name: JobName::CheckBalances,
        pause: SOON,
        work: |app| Box::pin(async move { balances::check_balances(&app).await }),
    },
    Job {
        name: JobName::RemindOwners,
        pause: SOME_TIME,
        work: |app| Box::pin(async move { renewals::remind(&app).await }),
    },
    Job {
        name: JobName::ReorderTraffic,
        pause: SOON,
        work: |app| Box::pin(async move { traffic::reorder(&app).await }),
    },
    Job {
        name: JobName::RemindOwnersOfTraffic,
        pause: SOME_TIME,
        work: |app| Box::pin(async move { traffic::remind(&app).await }),
    },
    Job {
        name: JobName::MakePlannedPriceChanges,
        pause: SOON,
        work: |app| Box::pin(async move { prices::planned::make_due(&app).await }),
    },
    Job {
        name: JobName::MatureCommissions,
        pause: OFTEN,
        work: |app| Box::pin(async move { commissions::mature(&app).await }),
    },
    Job {
        name: JobName::ChangeNodeStates,
        pause: SOON,
        work: |app| Box::pin(async move { nodes::move_on(&app).await }),
    },
    Job {
        name: JobName::AggregateUsage,
        pause: AT_ONCE,
        work: |app| Box::pin(async move { usage::aggregate_as_load_allows(&app).await }),
    },
    Job {
        name: JobName::ChangeProxyUserStates,
        pause: SOON,
        work: |app| Box::pin(async move { proxy_users::upkeep::move_on(&app).await }),
    },
    Job {
        name: JobName::DeleteOldProxyUsers,
        pause: OFTEN,
        work: |app| Box::pin(async move { proxy_users::upkeep::forget(&app).await }),
    },
    Job {
        name: JobName::RefreshAccess,
        pause: AT_ONCE,
        work: |app| Box::pin(async move { app.authorizer.refresh(&app.db.out_of_turn(), app.clock.now()).await }),
    },
    Job {
        name: JobName::RefreshSupportStreams,
        pause: AT_ONCE,
        work: |app| Box::pin(async move { app.support.refresh(&app.db, app.clock.now()).await }),
    },
    Job {
        name: JobName::MailUnreadMessages,
        pause: OFTEN,
        work: |app| Box::pin(async move { support::unread_mails::queue_due(&app).await }),
    },
    Job {
        name: JobName::DeleteOldUsage,
        pause: SOME_TIME,
        work: |app| Box::pin(async move { usage::keeping::keep(&app).await }),
    },
    Job {
        name: JobName::CompactStockCounts,
        pause: OFTEN,
        work: |app| Box::pin(async move { stock::fold(&app).await }),
    },
    Job { name: JobName::CompactTotals, pause: OFTEN, work: |app| Box::pin(async move { totals::fold(&app).await }) },
    Job {
        name: JobName::DispatchEvents,
        pause: AT_ONCE,
        work: |app| Box::pin(async move { webhooks::dispatch::dispatch(&app).await }),
    },
    Job {
        name: JobName::DeliverEvents,
        pause: AT_ONCE,
        work: |app| Box::pin(async move { webhooks::deliver::deliver(&app).await }),
    },
    Job {
        name: JobName::DeleteOldDeliveries,
        pause: SOME_TIME,
        work: |app| Box::pin(async move { webhooks::keeping::forget(&app).await }),
    },
    Job {
        name: JobName::AnswerLinkRequests,
        pause: AT_ONCE,
        work: |app| Box::pin(async move { links::answer(&app).await }),
    },
    Job {
        name: JobName::LogFailedSignIns,
        pause: SOON,
        work: |app| Box::pin(async move { links::log_failed_sign_ins(&app).await }),
    },
    Job { name: JobName::SendMails, pause: AT_ONCE, work: |app| Box::pin(async move { mails::send(&app).await }) },
    Job {
        name: JobName::CheckTheBooks,
        pause: SOME_TIME,
        work: |app| Box::pin(async move { books::check(&app).await }),
    },
    Job {
        name: JobName::CloseUnusedConnections,
        pause: SOON,
        work: |app| {
            Box::pin(async move {
                app.db.close_unused().await;
                Ok(())
            })
        },
    },
    Job {
        name: JobName::WatchProxyServers,
        pause: OFTEN,
        work: |app| Box::pin(async move { servers::watch(&app).await }),
    },
    Job {
        name: JobName::CountDays,
        pause: SOME_TIME,
        work: |app| Box::pin(async move { business::days::count_due(&app).await }),
    },
    Job { name: JobName::Upkeep, pause: SOME_TIME, work: |app| Box::pin(async move { upkeep::forget(&app).await }) },
];

/// Runs until `stop` is signalled. Each job has a task of its own: a mail server that hangs does not delay orders.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    let app = App { db: app.db.for_jobs(), ..app };
    let runs = Runs::default();
    let mut tasks: Vec<_> =
        JOBS.iter().map(|job| tokio::spawn(repeat(job, app.clone(), runs.clone(), stop.clone()))).collect();
    tasks.push(tokio::spawn(store_runs(app.clone(), runs, stop)));
    for task in tasks {
        if let Err(error) = task.await {
            tracing::error!(%error, "a job ended");
        }
    }
    app.webhooks.finish().await;
}

/// A job that fails or panics is logged and retried after its interval.
async fn repeat(job: &'static Job, app: App, runs: Runs, mut stop: watch::Receiver<bool>) {
    loop {
        let run = run_once(job, &app).await;
        app.counts.note_run(run.job, run.error.is_none().then_some(run.began_at), run.took);
        runs.note(run);
        tokio::select! {
            _ = tokio::time::sleep(job.pause) => {}
            _ = stop.changed() => return,
        }
    }
}

async fn run_once(job: &Job, app: &App) -> Run {
    let (began_at, begin) = (app.clock.now(), Instant::now());
    let name = job.name.as_str();
    let error = match tokio::spawn((job.work)(app.clone())).await {
        Ok(Ok(())) => None,
        // Said once, where it is noticed.
        Ok(Err(error)) if error.is_unavailable() => {
            tracing::debug!(job = name, %error, "a job failed");
            Some(error.to_string())
        }
        Ok(Err(error)) => {
            tracing::error!(job = name, %error, "a job failed");
            Some(error.to_string())
        }
        Err(error) => {
            tracing::error!(job = name, %error, "a job panicked");
            Some("it panicked: see the server's log".to_owned())
        }
    };
    Run { job: job.name, pause: job.pause, began_at, took: begin.elapsed(), error }
}

/// Stores how the jobs went, for operators.
async fn store_runs(app: App, runs: Runs, mut stop: watch::Receiver<bool>) {
    let mut pause = FIRST_NOTED;
    loop {
        tokio::select! {
            _ = tokio::time::sleep(pause) => {}
            _ = stop.changed() => return,
        }
        pause = NOTED;
        let noted = runs.take();
        if let Err(error) = app.db.write(move |conn| runs::store(conn, &noted)).await {
            tracing::debug!(%error, "the runs of jobs could not be stored");
        }
    }
}

/// One round of all jobs. Tests call it instead of waiting.
pub async fn round(app: &App) -> Vec<(&'static str, Result<(), AppError>)> {
    let (runs, mut done) = (Runs::default(), Vec::new());
    for job in JOBS {
        let (began_at, begin) = (app.clock.now(), Instant::now());
        let result = (job.work)(app.clone()).await;
        let error = result.as_ref().err().map(ToString::to_string);
        runs.note(Run { job: job.name, pause: job.pause, began_at, took: begin.elapsed(), error });
        done.push((job.name.as_str(), result));
    }
    let noted = runs.take();
    let stored = app.db.write(move |conn| runs::store(conn, &noted)).await;
    done.push(("store runs", stored));
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_of_core_stands_in_the_table_once() {
        let mut named: Vec<JobName> = JOBS.iter().map(|job| job.name).collect();
        let order = |job: &JobName| JobName::ALL.iter().position(|one| one == job);
        named.sort_by_key(order);
        assert_eq!(named, JobName::ALL);
    }

    #[test]
    fn link_mails_are_sent_within_two_seconds() {
        let pauses = JOBS.iter().filter(|job| [JobName::AnswerLinkRequests, JobName::SendMails].contains(&job.name));
        let (jobs, longest) = pauses.fold((0, Duration::ZERO), |(jobs, sum), job| (jobs + 1, sum + job.pause));
        assert_eq!((jobs, longest), (2, Duration::from_secs(2)));
    }
}
