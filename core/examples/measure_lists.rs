//! Measures how long lists of 100,000 lines take, and fails if one takes more than 100 ms.
//! `cargo run --release -p postern-core --example measure_lists`
use postern_core::endpoint::{
    EndpointFormat, LIST_MAX, ListNode, ListRequest, UserParts, build_list, build_node_list, build_node_list_of_rows,
};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_millis(100);

fn main() -> std::process::ExitCode {
    let request = ListRequest {
        scheme: "http".into(),
        host: "gate.example".into(),
        ports: (8_000..8_100).collect(),
        user: Some(UserParts {
            name: "ann".into(),
            country: Some("us".into()),
            city: Some("new_york".into()),
            ttl_minutes: Some(30),
            ..UserParts::default()
        }),
        password: "abcdefgh23456789".into(),
        count: LIST_MAX,
        sticky: true,
        seed: "seed".into(),
        format: EndpointFormat::Url,
        template: None,
        target: None,
    };
    let hosts: Vec<_> = (0..LIST_MAX)
        .map(|index| format!("198.{}.{}.{}", 18 + index / 65_536, index / 256 % 256, index % 256))
        .collect();
    let node = |host| ListNode {
        scheme: "http",
        host,
        port: 8_080,
        user_name: "uabcdefgh",
        password: "abcdefgh23456789",
        country: "us",
    };
    let nodes: Vec<_> = hosts.iter().map(|host| node(host.as_str())).collect();
    let rows: Vec<_> =
        hosts.iter().map(|host| format!("http\t{host}\t8080\tuabcdefgh\tabcdefgh23456789\tus")).collect();
    let rows = rows.join("\n");
    let template = "{scheme}://{user}:{pass}@{host}:{port} {country} {session}";
    let mut slowest = Duration::ZERO;
    let mut measure = |name: &str, build: &dyn Fn() -> Option<String>| {
        let begin = Instant::now();
        let length = build().map_or(0, |list| list.len());
        let took = begin.elapsed();
        slowest = slowest.max(took);
        println!("{name:<40} {:>7.1} ms {length:>10} bytes", took.as_secs_f64() * 1_000.0);
    };
    for format in EndpointFormat::ALL.iter().copied() {
        let request = ListRequest { format, ..request.clone() };
        measure(&format!("gateway, {}", format.as_str()), &|| build_list(&request).ok());
        measure(&format!("nodes, {}", format.as_str()), &|| build_node_list(&nodes, format, None).ok());
    }
    let templated = ListRequest { template: Some(template.into()), ..request };
    measure("gateway, template", &|| build_list(&templated).ok());
    measure("nodes, template", &|| build_node_list(&nodes, EndpointFormat::Url, Some(template)).ok());
    measure("nodes in rows, url", &|| build_node_list_of_rows(&rows, EndpointFormat::Url, None).ok());
    if slowest > LIMIT { std::process::ExitCode::FAILURE } else { std::process::ExitCode::SUCCESS }
}
