//! Values that no form would send, as JSON texts; some are invalid JSON.

/// Values for any field.
pub fn absurd(is_list: bool) -> Vec<String> {
    let texts = [
        "",
        " ",
        "\\u0000",
        "a\\u0000b",
        "\\ud800",
        "\\udfff\\ud800",
        "\\u202e\\ufeff\\u200b",
        "-262143-01-01 00:00:00",
        "+262142-12-31 23:59:59",
        "99999-12-31 23:59:59",
        "0000-00-00 00:00:00",
        "0001-01-01 00:00:00",
        "9999-12-31 23:59:59",
        "2026-02-30 25:61:61",
        "%",
        "_",
        "\\\\",
        "'; DROP TABLE nodes; --",
        "\\\" OR 1=1",
        "../../../../etc/passwd",
        "file:///etc/passwd",
        "http://169.254.169.254/",
        "-5",
        "-0.01",
        "1e400",
        "0.001",
        "99999999999999999999999.99",
        "92233720368547758.07",
        "92233720368547758.08",
        "NaN",
        "Infinity",
        "=1+1",
        "::1",
        "0.0.0.0/0",
        "\u{1F9FF}",
    ];
    let mut values: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
    values.push(format!("\"{}\"", "x".repeat(50_000)));
    values.push(format!("\"{}\"", "\u{9f8d}".repeat(17_000)));
    values.push(format!("\"{}\"", "%_".repeat(25_000)));
    values.push(format!("\"{}\"", "\\u0000".repeat(2_000)));
    let others = [
        "null",
        "true",
        "0",
        "-0",
        "-1",
        "1.5",
        "1e400",
        "-1e400",
        "1E+2",
        "127",
        "128",
        "255",
        "256",
        "65535",
        "65536",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999999999999999999999",
        "[]",
        "{}",
        "[[]]",
        "[null]",
        "[{}]",
        "[1]",
        "[-1]",
        "[\"\"]",
        "{\"a\":{\"b\":{\"c\":[]}}}",
        "{\"$ne\":null}",
        "NaN",
        "undefined",
        "01",
        "",
    ];
    values.extend(others.iter().map(|text| (*text).to_owned()));
    values.push(format!("{}{}", "[".repeat(5_000), "]".repeat(5_000)));
    if is_list {
        values.push(list(1..40_001, |number| number.to_string()));
        values.push(list(1..10_001, |number| number.to_string()));
        values.push(list(1..9_000, |number| (-number).to_string()));
        values.push(list(0..9_000, |_| "1".to_owned()));
        values.push(list(0..40_000, |number| format!("\"{number}\"")));
        values.push(list(0..5_000, |_| "{}".to_owned()));
        values.push(list(0..40, |_| "{\"Field\":\"CreatedAt\",\"Direction\":\"asc\"}".to_owned()));
        values.push(list(0..200, |_| "{\"Country\":\"US\",\"City\":\"new-york\",\"Quantity\":1}".to_owned()));
        values.push(list(0..9, |_| "{\"Country\":\"US\",\"City\":\"new-york\",\"Quantity\":4294967295}".to_owned()));
    }
    values
}

fn list(numbers: std::ops::Range<i64>, item: impl Fn(i64) -> String) -> String {
    format!("[{}]", numbers.map(item).collect::<Vec<_>>().join(","))
}

/// Bodies for a list that sort and filter by these possible columns, with absurd paging.
pub fn list_bodies(words: &[String]) -> Vec<String> {
    let mut bodies = vec![
        "{\"Page\":4294967295,\"PageSize\":4294967295}".to_owned(),
        "{\"Page\":4294967295,\"PageSize\":1}".to_owned(),
        "{\"Page\":0,\"PageSize\":0}".to_owned(),
        "{\"Sort\":[{\"Field\":\"Nonsense\"}]}".to_owned(),
        "{\"Sort\":[{\"Field\":\"id; DROP TABLE nodes\"}]}".to_owned(),
        "{\"Filter\":{\"Nonsense\":1}}".to_owned(),
        "{\"Filter\":{\"State\":null,\"State\":[]}}".to_owned(),
        "{\"StartTime\":\"9999-12-31 23:59:59\",\"EndTime\":\"0001-01-01 00:00:00\"}".to_owned(),
        format!("{{\"Search\":\"{}\"}}", "%a".repeat(50)),
        format!("{{\"Search\":\"{}\"}}", "\u{9f8d}".repeat(100)),
        format!(
            "{{\"Filter\":{{{}}}}}",
            (0..500).map(|number| format!("\"F{number}\":1")).collect::<Vec<_>>().join(",")
        ),
    ];
    for word in words.iter().filter(|word| word.chars().all(char::is_alphanumeric)) {
        let sorts = vec![format!("{{\"Field\":\"{word}\",\"Direction\":\"desc\"}}"); 40].join(",");
        bodies.push(format!("{{\"Sort\":[{sorts}]}}"));
        let sorts = vec![format!("{{\"Field\":\"{word}\"}}"); 4].join(",");
        bodies.push(format!("{{\"Sort\":[{sorts}]}}"));
        for value in ["null", "-1", "1e400", "9223372036854775807", "\"\\u0000\"", "\"%\"", "[]", "{}", "true", "\"'\""]
        {
            bodies.push(format!("{{\"Filter\":{{\"{word}\":{value}}}}}"));
        }
        bodies.push(format!("{{\"Filter\":{{\"{word}\":\"{}\"}}}}", "x".repeat(50_000)));
    }
    bodies
}

/// Malformed bodies.
pub fn bodies() -> Vec<Vec<u8>> {
    let mut bodies: Vec<Vec<u8>> = [
        "",
        " ",
        "null",
        "[]",
        "[1]",
        "\"text\"",
        "1",
        "true",
        "{",
        "}",
        "{}{}",
        "{\"a\"",
        "{\"a\":1,}",
        "{'a':1}",
        "{\"\":1}",
        "\u{feff}{}",
        "{\"a\":1}//",
        "<a/>",
        "a=b&c=d",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    bodies.push(b"\0".to_vec());
    bodies.push(b"{\"a\":\"\0\"}".to_vec());
    bodies.push(b"{\"Search\":\"\xff\xfe\"}".to_vec());
    bodies.push(b"\xff\xfe{\0}\0".to_vec());
    bodies.push(vec![0xed, 0xa0, 0x80]);
    bodies.push(vec![b' '; 700_000]);
    bodies.push(vec![b'['; 400_000]);
    bodies.push("{\"a\":".repeat(60_000).into_bytes());
    bodies.push(format!("{{\"Search\":\"{}\"}}", "x".repeat(3_000_000)).into_bytes());
    bodies.push(
        format!("{{{}}}", (0..20_000).map(|number| format!("\"f{number}\":0")).collect::<Vec<_>>().join(","))
            .into_bytes(),
    );
    bodies
}

/// Compressed bodies that would be large: encoding and bytes.
pub fn compressed() -> Vec<(&'static str, Vec<u8>)> {
    let brotli = include_bytes!("bombs/gigabyte.br").to_vec();
    let gzip_twice = include_bytes!("bombs/gigabyte.gz.gz").to_vec();
    vec![
        ("br", brotli.clone()),
        ("BR", brotli.clone()),
        ("gzip, gzip", gzip_twice.clone()),
        ("gzip", gzip_twice.clone()),
        ("x-gzip", gzip_twice),
        ("deflate", b"\x78\x9c\xab\xae\x05\x00\x01\x75\x00\xf9".to_vec()),
        ("zstd", zstd_of_250_megabytes()),
        ("compress", b"\x1f\x9d\x90".to_vec()),
        ("identity, br", brotli.clone()),
        ("br, identity", brotli),
        ("nonsense", b"{}".to_vec()),
    ]
}

/// A frame of blocks that each repeat one byte: 4 bytes for 128 KB.
fn zstd_of_250_megabytes() -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for block in 0_u32..2_000 {
        let header = (0x20_000 << 3) | (1 << 1) | u32::from(block == 1_999);
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(b' ');
    }
    frame
}
