//! What costs the server most for a request: passwords whose strength takes longest to estimate, and the largest pictures.
use crate::findings::{Findings, for_each};
use crate::shop::{Customer, PASSWORD};
use crate::target::{People, Target};
use crate::uploads;
use crate::wire::{Request, send};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const AT_ONCE: usize = 20;

/// The longest sign-in meanwhile, and the side of the pictures. An unoptimised program decodes the largest one in ten seconds and more.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 8 } else { 1 });
const SIDE: u32 = if cfg!(debug_assertions) { 1_024 } else { 4_096 };

/// As many characters that may stand for several letters each as a password can have.
fn slowest_password() -> String {
    "({[<!1|4@69$5+7803%2".chars().cycle().take(128).collect()
}

/// All of them at once, by as many senders and accounts, while another customer signs in.
pub fn costly(target: &Target, people: &People, findings: &Findings) {
    let customers: Vec<Customer> = (0..AT_ONCE).map(|_| target.shop.customer(0)).collect();
    let password = slowest_password();
    let picture = uploads::large_picture(SIDE);
    let new = json!({"ResetToken": "x".repeat(43), "Password": password});
    let tries: Vec<(&str, usize)> = ["ResetPassword", "SignUp", "ChangePassword", "UploadAvatar"]
        .map(|call| (0..AT_ONCE).map(move |n| (call, n)))
        .into_iter()
        .flatten()
        .collect();
    let is_over = AtomicBool::new(false);
    let longest = std::thread::scope(|scope| {
        let signing_in = scope.spawn(|| sign_in(target, &people.bystander, findings, &is_over));
        for_each(&tries, tries.len(), |(call, number)| {
            let token = &customers[*number].token;
            let json = |body: serde_json::Value| ("application/json".to_owned(), body.to_string().into_bytes());
            let (kind, body) = match *call {
                "ResetPassword" => json(new.clone()),
                "SignUp" => json(json!({"Email": format!("costly-{number}@example.org"), "Password": password})),
                "ChangePassword" => json(json!({"CurrentPassword": PASSWORD, "NewPassword": password})),
                _ => (picture.kind.clone(), picture.body.clone()),
            };
            let path = format!("/api/User/{call}");
            let answer = target.post(&path, token, &[("Content-Type", &kind)], &body);
            findings.judge(&format!("User/{call}"), "at its slowest", &answer);
        });
        is_over.store(true, Ordering::Relaxed);
        signing_in.join().expect("the sign-ins")
    });
    println!("  a sign-in took {} ms at most", longest.as_millis());
}

fn sign_in(target: &Target, who: &Customer, findings: &Findings, is_over: &AtomicBool) -> Duration {
    let mut longest = Duration::ZERO;
    let body = json!({"Email": who.email, "Password": PASSWORD}).to_string();
    while !is_over.load(Ordering::Relaxed) {
        let path = "/api/User/Login";
        // One sender may sign in 60 times in a quarter of an hour.
        let from = target.another_sender();
        let answer = send(
            target.server,
            &Request { method: "POST", path, token: "", from, headers: &[], body: body.as_bytes() },
        );
        if answer.code != Some(1000) || answer.took > LONGEST {
            findings.add("a customer cannot sign in meanwhile", path, &answer.short());
        }
        longest = longest.max(answer.took);
    }
    longest
}
