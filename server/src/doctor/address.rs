//! Whether the shop answers at its public URL: its customers, its gateways' callbacks and its proxy servers come there.
use crate::config::{Config, Environment};
use crate::doctor::asking::{root_cause, wait_for};
use crate::doctor::finding::Finding;
use crate::tls;
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};
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
    let severity = match (answer, environment) {
        (Answer::Ready, _) => Severity::Ok,
        (_, Environment::Production) => Severity::Fault,
        (_, Environment::Development) => Severity::Warning,
    };
    let of = |diagnosis| Finding::of(severity, ShopCheck::PublicAddress, diagnosis).with("Url", url);
    match answer {
        Answer::Ready => of(Diagnosis::AddressAnswers),
        Answer::Status(503) => of(Diagnosis::AddressUnwritable),
        Answer::Status(status) => of(Diagnosis::AddressForeign).with("Status", status),
        Answer::Tls(cause) => of(Diagnosis::AddressWithoutTls).with("Cause", cause),
        Answer::Silence(cause) => of(Diagnosis::AddressSilent).with("Cause", cause),
    }
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
        assert!(silent.severity == Severity::Fault && silent.remedy().contains("postern serve"), "{silent:?}");
        let tls = of(Environment::Production, Answer::Tls("invalid peer certificate: Expired".to_owned()));
        assert!(tls.found().contains("Expired") && tls.remedy().contains("certificate"), "{tls:?}");
        let other = of(Environment::Production, Answer::Status(301));
        assert!(other.found().contains("301") && other.remedy().contains("reverse proxy"), "{other:?}");
    }
}
