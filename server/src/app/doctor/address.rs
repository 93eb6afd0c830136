//! Whether the shop answers at its public URL: its customers, its gateways' callbacks and its proxy servers come there.
use crate::app::doctor::asking::{root_cause, wait_for};
use crate::app::doctor::finding::{Finding, Severity};
use crate::config::{Config, Environment};
use crate::tls;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(5);

/// How the public URL answered.
#[derive(Debug)]
enum Answer {
    Ready,
    Status(u16),
    Tls(String),
    Silence(String),
}

pub fn check(config: &Config) -> Vec<Finding> {
    let url = format!("{}/health/ready", config.public_url);
    let asked = url.clone();
    let answer = match wait_for(async move { ask(&asked).await }) {
        Ok(answer) => answer,
        Err(error) => Answer::Silence(format!("{error:#}")),
    };
    vec![finding(config.environment, &url, &answer)]
}

async fn ask(url: &str) -> Answer {
    let client = tls::client(LONGEST).map_err(|error| error.to_string());
    let client = client.and_then(|builder| builder.build().map_err(|error| root_cause(&error)));
    match client {
        Err(cause) => Answer::Silence(cause),
        Ok(client) => match client.get(url).send().await {
            Ok(response) if response.status().is_success() => Answer::Ready,
            Ok(response) => Answer::Status(response.status().as_u16()),
            Err(error) => unanswered(&error),
        },
    }
}

fn unanswered(error: &reqwest::Error) -> Answer {
    if error.is_timeout() {
        return Answer::Silence(format!("no answer within {} seconds", LONGEST.as_secs()));
    }
    let cause = root_cause(error);
    if cause.contains("certificate") || cause.contains("TLS") || cause.contains("corrupt message") {
        return Answer::Tls(cause);
    }
    Answer::Silence(cause)
}

fn finding(environment: Environment, url: &str, answer: &Answer) -> Finding {
    const CHECK: &str = "public address";
    let severity = if environment == Environment::Production { Severity::Fault } else { Severity::Warning };
    let (found, remedy) = match answer {
        Answer::Ready => return Finding::ok(CHECK, format!("{url} answers")),
        Answer::Status(503) => (
            format!("{url} answers 503: the server cannot write to its database"),
            "Look at the findings about the database, and at the server's log.",
        ),
        Answer::Status(status) => (
            format!("{url} answers {status}, so something else than the shop answers there"),
            "Let the reverse proxy forward the whole of POSTERN_PUBLIC_URL to POSTERN_HOST and PORT, without redirects.",
        ),
        Answer::Tls(cause) => (
            format!("{url} has no valid TLS: {cause}"),
            "Give the reverse proxy a certificate for the host of POSTERN_PUBLIC_URL, with its intermediate certificates.",
        ),
        Answer::Silence(cause) => (
            format!("{url} does not answer from this machine: {cause}"),
            "Start `postern serve`, and check POSTERN_PUBLIC_URL, its DNS record, the reverse proxy and the firewall.",
        ),
    };
    Finding::of(severity, CHECK, found, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_has_its_remedy_and_development_is_only_warned() {
        let url = "https://shop.northlight.io/health/ready";
        let of = |environment, answer: Answer| finding(environment, url, &answer);
        assert_eq!(of(Environment::Production, Answer::Ready).severity, Severity::Ok);
        let silent = || Answer::Silence("Connection refused".to_owned());
        assert_eq!(of(Environment::Development, silent()).severity, Severity::Warning);
        let silent = of(Environment::Production, silent());
        assert!(silent.severity == Severity::Fault && silent.remedy.contains("postern serve"), "{silent:?}");
        let tls = of(Environment::Production, Answer::Tls("invalid peer certificate: Expired".to_owned()));
        assert!(tls.found.contains("Expired") && tls.remedy.contains("certificate"), "{tls:?}");
        let other = of(Environment::Production, Answer::Status(301));
        assert!(other.found.contains("301") && other.remedy.contains("reverse proxy"), "{other:?}");
    }
}
