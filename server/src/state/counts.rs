//! What a process counts for those who watch it: requests, runs of jobs, callbacks, requests to gateways. It is told by `metrics`.
use chrono::NaiveDateTime;
use postern_core::job::JobName;
use postern_core::order::{PaymentMethod, Verdict};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime};

/// Upper bounds of the durations of requests, in seconds: few, as there is a row of them for each route.
const BUCKETS: [f64; 8] = [0.005, 0.02, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0];

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Answered {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct JobResult {
    job_name: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Job {
    job_name: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Judged {
    gateway: &'static str,
    verdict: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct GatewayAnswer {
    gateway: &'static str,
    /// That of HTTP, or `unreachable`.
    status: String,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct GatewayAsked {
    gateway: &'static str,
}

/// Requests to gateways. Their clients know no shop, so a process has one of these.
#[derive(Default)]
struct GatewayRequests {
    answers: Family<GatewayAnswer, Counter>,
    seconds: Family<GatewayAsked, Counter<f64, AtomicU64>>,
}

static GATEWAY_REQUESTS: LazyLock<GatewayRequests> = LazyLock::new(GatewayRequests::default);

/// Counts a request to a gateway; `status` is absent if no answer came.
pub fn note_gateway_request(gateway: PaymentMethod, status: Option<u16>, took: Duration) {
    let gateway = gateway.as_str();
    let status = status.map_or_else(|| "unreachable".to_owned(), |status| status.to_string());
    GATEWAY_REQUESTS.answers.get_or_create(&GatewayAnswer { gateway, status }).inc();
    GATEWAY_REQUESTS.seconds.get_or_create(&GatewayAsked { gateway }).inc_by(took.as_secs_f64());
}

pub struct Counts {
    /// Whether anybody asks for them: if not, nothing is counted.
    is_on: bool,
    /// When the process started, as far as anybody watches it.
    started_at: SystemTime,
    registry: Registry,
    requests: Family<Answered, Counter>,
    durations: Family<Route, Histogram, fn() -> Histogram>,
    job_runs: Family<JobResult, Counter>,
    job_seconds: Family<Job, Counter<f64, AtomicU64>>,
    job_successes: Family<Job, Gauge>,
    callbacks: Family<Judged, Counter>,
}

impl Counts {
    pub fn new(is_on: bool) -> Counts {
        let histogram: fn() -> Histogram = || Histogram::new(BUCKETS);
        let mut counts = Counts {
            is_on,
            started_at: SystemTime::now(),
            registry: Registry::with_prefix("postern"),
            requests: Family::default(),
            durations: Family::new_with_constructor(histogram),
            job_runs: Family::default(),
            job_seconds: Family::default(),
            job_successes: Family::default(),
            callbacks: Family::default(),
        };
        let registry = &mut counts.registry;
        registry.register(
            "http_requests",
            "Requests, by the pattern of their route and by status",
            counts.requests.clone(),
        );
        let said = "Time until the head of a response was sent, by the pattern of the route";
        registry.register_with_unit("http_request_duration", said, Unit::Seconds, counts.durations.clone());
        registry.register("job_runs", "Runs of background jobs in this process", counts.job_runs.clone());
        registry.register_with_unit("job_duration", "Time that jobs took", Unit::Seconds, counts.job_seconds.clone());
        let said = "When a job last succeeded in this process, since 1970";
        registry.register_with_unit("job_last_success_timestamp", said, Unit::Seconds, counts.job_successes.clone());
        registry.register("gateway_callbacks", "Callbacks of gateways, by verdict", counts.callbacks.clone());
        let asked = &*GATEWAY_REQUESTS;
        registry.register(
            "gateway_requests",
            "Requests to gateways, by the status of the answer",
            asked.answers.clone(),
        );
        let said = "Time until the head of an answer of a gateway";
        registry.register_with_unit("gateway_request_duration", said, Unit::Seconds, asked.seconds.clone());
        counts
    }

    pub fn is_on(&self) -> bool {
        self.is_on
    }

    pub fn started_at(&self) -> SystemTime {
        self.started_at
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Counts a request. `route` is a pattern, of which there are as many as routes; a path would be another row for each visitor.
    pub fn note_request(&self, route: String, status: u16, took: Duration) {
        self.durations.get_or_create(&Route { route: route.clone() }).observe(took.as_secs_f64());
        self.requests.get_or_create(&Answered { route, status }).inc();
    }

    /// Counts a run of a job; `succeeded_at` is absent if it failed.
    pub fn note_run(&self, job: JobName, succeeded_at: Option<NaiveDateTime>, took: Duration) {
        if !self.is_on {
            return;
        }
        let job_name = job.as_str();
        let result = if succeeded_at.is_some() { "success" } else { "failure" };
        self.job_runs.get_or_create(&JobResult { job_name, result }).inc();
        self.job_seconds.get_or_create(&Job { job_name }).inc_by(took.as_secs_f64());
        if let Some(at) = succeeded_at {
            self.job_successes.get_or_create(&Job { job_name }).set(at.and_utc().timestamp());
        }
    }

    pub fn note_callback(&self, gateway: PaymentMethod, verdict: Verdict) {
        if self.is_on {
            let (gateway, verdict) = (gateway.as_str(), verdict.as_str());
            self.callbacks.get_or_create(&Judged { gateway, verdict }).inc();
        }
    }
}
