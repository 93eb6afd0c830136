//! schemathesis: generated requests by the OpenAPI document, and a check of the responses against it.
use crate::findings::Findings;
use crate::shop::Customer;
use crate::target::{People, Target};
use std::process::Command;

const CHECKS: &str = "not_a_server_error,response_schema_conformance,status_code_conformance,content_type_conformance,not_an_internal_error";

/// Runs it with a token of each kind of user, if ATTACK_SCHEMATHESIS names the program.
pub fn keep_to_the_description(target: &Target, people: &People, is_long: bool, findings: &Findings) {
    let Ok(program) = std::env::var("ATTACK_SCHEMATHESIS") else {
        println!("  left out: ATTACK_SCHEMATHESIS does not say where schemathesis is");
        return;
    };
    let everybody = [
        ("a customer", Some(&people.customer)),
        ("an operator", Some(&people.operator)),
        ("nobody", None),
        ("a reseller", Some(&people.reseller)),
        ("a suspended customer", Some(&people.suspended)),
    ];
    let count = if is_long { everybody.len() } else { 2 };
    for (name, who) in everybody.into_iter().take(count) {
        let (is_fine, printed) = run(&program, target, who, is_long);
        let last = printed.lines().rev().find(|line| line.contains("===")).unwrap_or_default();
        println!("  as {name}: {}", last.trim_matches(|character| "= ".contains(character)));
        if !is_fine {
            let failures = printed.find("FAILURES").or_else(|| printed.find("ERRORS")).unwrap_or(0);
            println!("{}", printed[failures..].chars().take(12_000).collect::<String>());
            findings.add("schemathesis", name, last);
        }
    }
}

fn run(program: &str, target: &Target, who: Option<&Customer>, is_long: bool) -> (bool, String) {
    let examples = std::env::var("ATTACK_EXAMPLES").unwrap_or_else(|_| "2".to_owned());
    let seed = std::env::var("ATTACK_SEED").unwrap_or_else(|_| "1".to_owned());
    let mut command = Command::new(program);
    // One worker: with more, Python 3.11 now and then fails in its own parser.
    command
        .args(["run", &format!("http://{}/api/openapi.json", target.server)])
        .args(["--phases", if is_long { "examples,coverage,fuzzing" } else { "examples,fuzzing" }])
        .args(["--max-examples", &examples, "--workers", "1", "--seed", &seed, "--checks", CHECKS])
        .args(["--no-shrink", "--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure"])
        // It would end the session used for all other requests.
        .args(["--exclude-path", "/api/User/Logout"])
        // Streams, which would be read to the end.
        .args(["--exclude-path", "/api/Support/WaitForMessages"])
        .args(["--exclude-path", "/api/Operator/WaitForConversations"])
        .current_dir(&target.shop.app.config.var_dir)
        .env("NO_COLOR", "1")
        .env("PYTHONPATH", concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/clients"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("SCHEMATHESIS_HOOKS", "schemathesis_hooks");
    if let Some(who) = who {
        command.args(["--header", &format!("Token: {}", target.token_of(who))]);
    }
    match command.output() {
        Ok(output) => {
            let printed =
                String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            (output.status.success(), printed)
        }
        Err(error) => (false, format!("=== {program}: {error}")),
    }
}
