//! The id of a request: from the browser or the reverse proxy through the log of the server and of the database into the error that a customer sees.
use std::fmt;
use tokio::task::futures::TaskLocalFuture;
use tracing::Span;

/// A number of 128 bits, written as 32 hexadecimal digits, as nginx and OpenTelemetry do. Not a secret.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RequestId(u128);

tokio::task_local! {
    static CURRENT: RequestId;
}

impl RequestId {
    pub fn new() -> RequestId {
        RequestId(fastrand::u128(..))
    }

    /// One that a client or a proxy chose; `None` if it is not one.
    pub fn parse(text: &str) -> Option<RequestId> {
        let is_plain = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_plain.then(|| u128::from_str_radix(text, 16).ok().map(RequestId)).flatten()
    }

    pub fn of_number(number: u128) -> RequestId {
        RequestId(number)
    }

    pub fn number(self) -> u128 {
        self.0
    }

    /// That of the request which is being answered; `None` in jobs and commands.
    pub fn current() -> Option<RequestId> {
        CURRENT.try_get().ok()
    }

    /// A future that belongs to this request.
    pub fn scope<F: Future>(self, future: F) -> TaskLocalFuture<RequestId, F> {
        CURRENT.scope(self, future)
    }
}

impl Default for RequestId {
    fn default() -> RequestId {
        RequestId::new()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// What some work is done for: a request, and the span under which it logs. For another thread.
#[derive(Clone)]
pub struct Origin {
    id: Option<RequestId>,
    span: Span,
}

impl Origin {
    pub fn here() -> Origin {
        Origin { id: RequestId::current(), span: Span::current() }
    }

    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        self.span.in_scope(|| if let Some(id) = self.id { CURRENT.sync_scope(id, work) } else { work() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_32_hexadecimal_digits_are_an_id() {
        let id = RequestId::new();
        assert_eq!(RequestId::parse(&id.to_string()), Some(id));
        assert_eq!(RequestId::parse("00000000000000000000000000000ABC"), Some(RequestId(0xabc)));
        let long = "0".repeat(33);
        for text in ["", "abc", &long, "+0000000000000000000000000000abc", "0000000000000000000000000000'; --"] {
            assert_eq!(RequestId::parse(text), None, "{text}");
        }
    }

    #[actix_web::test]
    async fn another_thread_knows_the_request() {
        let id = RequestId::new();
        let origin = id.scope(async { Origin::here() }).await;
        let there = std::thread::spawn(move || origin.run(RequestId::current));
        assert_eq!(there.join().expect("a thread"), Some(id));
        assert_eq!(RequestId::current(), None);
    }
}
