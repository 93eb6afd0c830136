//! Upstreams: pools of residential proxies that are resold. Which one carries a connection, as whom, and what happens when it fails.
mod dial;
mod file;
mod health;
mod sessions;
pub mod template;

pub use dial::Reached;
pub use file::{Kind, Upstream, parse, read};

use crate::host_port::HostPort;
use crate::refusal::Refusal;
use crate::upstream::dial::Failure;
use crate::upstream::health::{Choice, Usability};
use crate::upstream::sessions::{Held, SessionKey, Sessions};
use crate::upstream::template::Values;
use hyper::header::HeaderValue;
use postern_core::proxy_protocol::Authorization;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How long a session stays with its exit, if the shop does not say.
const SESSION_MINUTES: u32 = 10;

/// What a connection is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Purpose {
    Tunnel,
    /// One request of plain HTTP, which an HTTP upstream forwards itself.
    Request,
}

pub struct Upstreams {
    all: Vec<Upstream>,
    usability: Usability,
    sessions: Sessions,
    turn: AtomicUsize,
}

/// A connection through an upstream.
pub struct Way {
    pub reached: Reached,
    /// The country that was asked for.
    pub country: Option<String>,
    /// If the upstream forwards the request itself: what it needs.
    pub forwarder: Option<Forwarder>,
}

/// An upstream that forwards a request.
pub struct Forwarder {
    pub credentials: Option<HeaderValue>,
    upstream: usize,
}

impl Upstreams {
    pub fn new(all: Vec<Upstream>) -> Upstreams {
        let usability = Usability::new(all.iter().map(|upstream| upstream.weight).collect());
        Upstreams { all, usability, sessions: Sessions::default(), turn: AtomicUsize::new(0) }
    }

    /// Each upstream's address, and whether it is used at present.
    pub fn states(&self) -> Vec<(String, bool)> {
        let usable =
            |(index, upstream): (usize, &Upstream)| (upstream.address.to_string(), self.usability.is_usable(index));
        self.all.iter().enumerate().map(usable).collect()
    }

    /// Connects to a destination. Fails over to the next upstream, except for a session that is in use.
    pub async fn reach(
        &self,
        answer: &Authorization,
        destination: &HostPort,
        purpose: Purpose,
    ) -> Result<Way, Refusal> {
        let mut values = Values {
            country: self.country(answer),
            state: answer.state.clone(),
            city: answer.city.clone(),
            ..Values::default()
        };
        let Some(key) = SessionKey::of(answer) else {
            return self.try_all(&values, destination, purpose, &mut self.usability.choice()).await.map(|(_, way)| way);
        };
        let minutes = answer.ttl_minutes.unwrap_or(SESSION_MINUTES);
        let lifetime = Duration::from_secs(u64::from(minutes) * 60);
        let Held { id, mut choice } = self.sessions.hold(key.clone(), lifetime, &self.usability);
        (values.session, values.ttl_minutes) = (Some(id.clone()), Some(minutes));
        let (upstream, way) = self.try_all(&values, destination, purpose, &mut choice).await?;
        self.sessions.settle(&key, &id, upstream);
        Ok(way)
    }

    /// The country to leave by: the requested one, or one of those that are allowed.
    fn country(&self, answer: &Authorization) -> Option<String> {
        if answer.country.is_some() || answer.countries.is_empty() {
            return answer.country.clone();
        }
        let turn = match &answer.session {
            Some(session) => session.bytes().fold(0, |sum, byte| sum * 31 % 65_521 + usize::from(byte)),
            None => self.turn.fetch_add(1, Ordering::Relaxed),
        };
        answer.countries.get(turn % answer.countries.len()).cloned()
    }

    async fn try_all(
        &self,
        values: &Values,
        destination: &HostPort,
        purpose: Purpose,
        choice: &mut Choice,
    ) -> Result<(usize, Way), Refusal> {
        let mut refusal = Refusal::NoUpstream;
        let mut doubtful = Vec::new();
        while let Some(index) = choice.next() {
            match self.try_one(index, values, destination, purpose).await {
                // Whether it carries the request, its response will say.
                Ok(way) if way.forwarder.is_some() => return Ok((index, way)),
                Ok(way) => {
                    self.usability.note_success(index);
                    // Where another one succeeds, the fault was not the destination's.
                    doubtful.into_iter().for_each(|index| self.note_failure(index));
                    return Ok((index, way));
                }
                Err(Failure::Upstream) => self.note_failure(index),
                Err(Failure::Unclear(told)) => {
                    refusal = told;
                    doubtful.push(index);
                }
                Err(Failure::Destination(told)) => return Err(told),
            }
        }
        Err(refusal)
    }

    async fn try_one(
        &self,
        index: usize,
        values: &Values,
        destination: &HostPort,
        purpose: Purpose,
    ) -> Result<Way, Failure> {
        let upstream = &self.all[index];
        let user_name = upstream.user_name.fill(values);
        let country = values.country.clone();
        let stream = dial::connect(&upstream.address).await?;
        if purpose == Purpose::Request && upstream.kind == Kind::Http {
            let forwarder =
                Some(Forwarder { credentials: dial::basic(&user_name, &upstream.password)?, upstream: index });
            return Ok(Way { reached: Reached::plain(stream), country, forwarder });
        }
        let reached = match upstream.kind {
            Kind::Http => dial::http_tunnel(stream, destination, &user_name, &upstream.password).await?,
            Kind::Socks5 => dial::socks5_tunnel(stream, destination, &user_name, &upstream.password).await?,
        };
        Ok(Way { reached, country, forwarder: None })
    }

    /// An upstream that forwards requests has responded to one: it accepts the credentials, or does not.
    pub fn note_response(&self, forwarder: &Forwarder, is_accepted: bool) {
        match is_accepted {
            true => self.usability.note_success(forwarder.upstream),
            false => self.note_failure(forwarder.upstream),
        }
    }

    fn note_failure(&self, index: usize) {
        if self.usability.note_failure(index) {
            let upstream = self.all[index].address.to_string();
            tracing::warn!(upstream, "an upstream is set aside after several failures");
        }
    }
}
