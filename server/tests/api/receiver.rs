//! A webhook endpoint for tests: records requests and responds as configured.
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac};
use serde_json::Value;
use sha2::Sha256;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How an endpoint behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Manner {
    Answers(u16),
    /// Accepts the request and never responds.
    Hangs,
}

/// A received request.
#[derive(Clone)]
pub struct Received {
    pub headers: HashMap<String, String>,
    pub body: String,
    pub at: Instant,
}

impl Received {
    pub fn message_id(&self) -> &str {
        &self.headers["webhook-id"]
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a body in JSON")
    }

    /// The number of its signatures made with this secret, as defined by Standard Webhooks.
    pub fn signatures_by(&self, secret: &str) -> usize {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").expect("a secret")).expect("base64");
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
        mac.update(format!("{}.{}.{}", self.message_id(), self.headers["webhook-timestamp"], self.body).as_bytes());
        let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        self.headers["webhook-signature"].split(' ').filter(|signature| **signature == expected).count()
    }
}

pub struct Receiver {
    pub url: String,
    manner: Arc<Mutex<Manner>>,
    received: Arc<Mutex<Noted>>,
}

/// What is stored of requests: everything, or only the numbers in their data.
enum Noted {
    Whole(Vec<Received>),
    Numbers(Vec<(usize, Instant)>),
}

impl Noted {
    fn add(&mut self, received: Received) {
        match self {
            Noted::Whole(all) => all.push(received),
            Noted::Numbers(all) => {
                let number = received.json()["data"]["Number"].as_u64().expect("a number");
                all.push((number as usize, received.at));
            }
        }
    }
}

impl Receiver {
    pub fn open(manner: Manner) -> Receiver {
        Receiver::noting(manner, Noted::Whole(Vec::new()))
    }

    /// One that stores only the numbers of many requests.
    pub fn counting(manner: Manner) -> Receiver {
        Receiver::noting(manner, Noted::Numbers(Vec::new()))
    }

    fn noting(manner: Manner, noted: Noted) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let (manner, received) = (Arc::new(Mutex::new(manner)), Arc::new(Mutex::new(noted)));
        let (manners, noted) = (manner.clone(), received.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (manner, received) = (*manners.lock().expect("a manner"), noted.clone());
                std::thread::spawn(move || serve(stream, manner, &received));
            }
        });
        Receiver { url, manner, received }
    }

    pub fn becomes(&self, manner: Manner) {
        *self.manner.lock().expect("a manner") = manner;
    }

    pub fn received(&self) -> Vec<Received> {
        match &*self.received.lock().expect("what came") {
            Noted::Whole(all) => all.clone(),
            Noted::Numbers(_) => panic!("it keeps numbers only"),
        }
    }

    /// The numbers in the data of its requests, with when each came.
    pub fn numbers(&self) -> Vec<(usize, Instant)> {
        match &*self.received.lock().expect("what came") {
            Noted::Whole(_) => panic!("it keeps whole requests"),
            Noted::Numbers(all) => all.clone(),
        }
    }
}

fn serve(mut stream: TcpStream, manner: Manner, received: &Mutex<Noted>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let mut headers = HashMap::new();
    let mut line = String::new();
    let _ = reader.read_line(&mut line);
    loop {
        line.clear();
        if reader.read_line(&mut line).unwrap_or_default() <= 2 {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    let length = headers.get("content-length").and_then(|text| text.parse().ok()).unwrap_or_default();
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() || !headers.contains_key("webhook-id") {
        return;
    }
    let body = String::from_utf8(body).expect("UTF-8");
    received.lock().expect("what came").add(Received { headers, body, at: Instant::now() });
    match manner {
        Manner::Hangs => std::thread::sleep(Duration::from_secs(30)),
        Manner::Answers(status) => {
            let answer = format!("HTTP/1.1 {status} Answer\r\ncontent-length: 4\r\nx-receiver: test\r\n\r\nseen");
            let _ = stream.write_all(answer.as_bytes());
        }
    }
}
