//! A shop whose answers a test changes, and which remembers what it was asked and told.
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use postern_core::proxy_protocol::{
    Authorization, Authorizations, Connection, Connections, Heartbeat, MAX_SERVED_NODES, ReportOutcome, ServedNode,
    ServedNodes, ServedNodesRequest,
};
use postern_core::usage::Refused;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::net::TcpListener;

pub const SECRET: &str = "gate-secret";
pub const USER_ID: i64 = 7;

#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "PascalCase")]
pub struct Record {
    pub id: String,
    pub used_at: String,
    #[serde(default)]
    pub proxy_user_id: Option<i64>,
    #[serde(default)]
    pub ip: String,
    pub country: String,
    pub target: String,
    pub upload_bytes: u64,
    pub download_bytes: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Report {
    records: Vec<Record>,
}

/// How the shop behaves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mood {
    Answers,
    /// Breaks every connection.
    Away,
    /// Answers everything with this status.
    Status(u16),
    /// Takes this long to answer.
    Slow(Duration),
}

type Answer = Box<dyn Fn(&Connection) -> Authorization + Send>;

pub struct State {
    pub kind: &'static str,
    pub nodes: Vec<ServedNode>,
    /// How many nodes stand on a page.
    pub nodes_on_page: usize,
    pub mood: Mood,
    /// The status of answers to reports, if not 200.
    pub report_status: Option<u16>,
    pub answer: Answer,
    /// Each question with the connections in it.
    pub questions: Vec<Vec<Connection>>,
    pub heartbeats: Vec<Heartbeat>,
    /// Each report, repeated ones included.
    pub reports: Vec<Vec<Record>>,
    pub wrong_secrets: usize,
}

#[derive(Clone)]
pub struct Shop {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

/// Allows whoever knows the password, for 5 seconds.
pub fn by_password(connection: &Connection) -> Authorization {
    if connection.password == "right" {
        let (country, session) =
            (Some("US".into()), connection.user_name.split_once("-session-").map(|(_, id)| id.into()));
        let proxy_user_id = connection.ip.is_empty().then_some(USER_ID);
        return Authorization {
            allowed: true,
            valid_for_seconds: 5,
            proxy_user_id,
            country,
            session,
            ..Authorization::default()
        };
    }
    let reason = if connection.user_name.is_empty() { Refused::UnknownUser } else { Refused::WrongPassword };
    Authorization::refused(reason, 2)
}

impl Shop {
    pub async fn start(kind: &'static str) -> Shop {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let state = State {
            kind,
            nodes: Vec::new(),
            nodes_on_page: MAX_SERVED_NODES,
            mood: Mood::Answers,
            report_status: None,
            answer: Box::new(by_password),
            questions: Vec::new(),
            heartbeats: Vec::new(),
            reports: Vec::new(),
            wrong_secrets: 0,
        };
        let shop = Shop { address: listener.local_addr().expect("an address"), state: Arc::new(Mutex::new(state)) };
        tokio::spawn(serve(shop.clone(), listener));
        shop
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("the state")
    }

    pub fn refuse_all(&self, reason: Refused) {
        self.state().answer = Box::new(move |_| Authorization::refused(reason, 2));
    }

    /// The bytes that were reported, each record once: up and down, by target.
    pub fn counted(&self) -> BTreeMap<String, (u64, u64)> {
        let state = self.state();
        let records: BTreeMap<&str, &Record> =
            state.reports.iter().flatten().map(|record| (record.id.as_str(), record)).collect();
        let mut sums = BTreeMap::new();
        for record in records.values() {
            let sum: &mut (u64, u64) = sums.entry(record.target.clone()).or_default();
            (sum.0, sum.1) = (sum.0 + record.upload_bytes, sum.1 + record.download_bytes);
        }
        sums
    }

    /// Waits until this many bytes of a target are reported, up and down together.
    pub async fn wait_for_bytes(&self, target: &str, bytes: u64) -> (u64, u64) {
        for _ in 0..200 {
            let sum = self.counted().get(target).copied().unwrap_or_default();
            if sum.0 + sum.1 >= bytes {
                return sum;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{bytes} bytes of {target} expected, reported: {:?}", self.counted());
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, &'static str> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(|_| "the gate went")?.to_bytes();
        let mood = self.state().mood;
        match mood {
            Mood::Away => return Err("away"),
            Mood::Status(status) => return Ok(response(status, "{}")),
            Mood::Slow(time) => tokio::time::sleep(time).await,
            Mood::Answers => {}
        }
        if parts.headers.get("authorization").is_none_or(|value| value != format!("Bearer {SECRET}").as_str()) {
            self.state().wrong_secrets += 1;
            return Ok(response(401, "{}"));
        }
        Ok(match parts.uri.path() {
            "/proxy-server/describe" => {
                response(200, &format!("{{\"Name\":\"test\",\"Kind\":\"{}\"}}", self.state().kind))
            }
            "/proxy-server/nodes" => self.nodes(&body),
            "/proxy-server/authorize" => self.authorize(&body),
            "/proxy-server/heartbeat" => {
                self.state().heartbeats.push(serde_json::from_slice(&body).expect("a heartbeat"));
                response(200, "{}")
            }
            "/proxy-server/usage" => self.report(&body),
            _ => response(404, "{}"),
        })
    }

    fn nodes(&self, body: &[u8]) -> Response<Full<Bytes>> {
        let ServedNodesRequest { after } = serde_json::from_slice(body).expect("a question");
        let (state, begin) = (self.state(), usize::try_from(after).expect("a position"));
        let end = state.nodes.len().min(begin + state.nodes_on_page);
        let next = (end < state.nodes.len()).then(|| i64::try_from(end).expect("a position"));
        let page = ServedNodes { nodes: state.nodes[begin..end].to_vec(), next };
        response(200, &serde_json::to_string(&page).expect("JSON"))
    }

    fn authorize(&self, body: &[u8]) -> Response<Full<Bytes>> {
        let Connections { connections } = serde_json::from_slice(body).expect("a question");
        let mut state = self.state();
        let answers = connections.iter().map(|connection| (state.answer)(connection)).collect();
        state.questions.push(connections);
        response(200, &serde_json::to_string(&Authorizations { answers }).expect("JSON"))
    }

    fn report(&self, body: &[u8]) -> Response<Full<Bytes>> {
        let Report { records } = serde_json::from_slice(body).expect("a report");
        let outcome = ReportOutcome { counted: records.len(), ..ReportOutcome::default() };
        let mut state = self.state();
        if let Some(status) = state.report_status {
            return response(status, "{}");
        }
        state.reports.push(records);
        response(200, &serde_json::to_string(&outcome).expect("JSON"))
    }
}

fn response(status: u16, body: &str) -> Response<Full<Bytes>> {
    Response::builder().status(status).body(Full::from(body.to_owned())).expect("a response")
}

async fn serve(shop: Shop, listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        let shop = shop.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| shop.answer(request));
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
