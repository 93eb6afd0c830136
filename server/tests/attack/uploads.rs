//! Malformed upload forms and files.
use std::io::Write;

/// A form's type and bytes, and what is wrong with it.
pub struct Form {
    pub name: &'static str,
    pub kind: String,
    pub body: Vec<u8>,
}

const KIND: &str = "multipart/form-data; boundary=edge";

/// A valid form with this file.
fn with_file(name: &'static str, file: &[u8]) -> Form {
    let head = b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n";
    Form { name, kind: KIND.to_owned(), body: [&head[..], file, b"\r\n--edge--\r\n"].concat() }
}

fn form(name: &'static str, kind: &str, body: &str) -> Form {
    Form { name, kind: kind.to_owned(), body: body.as_bytes().to_vec() }
}

/// A PNG with these dimensions in its header and this many rows of zeros, which compress to a few bytes.
fn png(width: u32, height: u32, rows: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], data: &[u8]| {
        file.extend((data.len() as u32).to_be_bytes());
        let body = [kind, data].concat();
        file.extend(&body);
        let mut crc = flate2::Crc::new();
        crc.update(&body);
        file.extend(crc.sum().to_be_bytes());
    };
    chunk(b"IHDR", &[&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat());
    let mut pixels = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let row = vec![0; 1 + 4 * width as usize];
    for _ in 0..rows {
        pixels.write_all(&row).expect("written");
    }
    chunk(b"IDAT", &pixels.finish().expect("finished"));
    chunk(b"IEND", &[]);
    file
}

/// A square that takes long to decode; with 4,096 pixels a side the longest.
pub fn large_picture(side: u32) -> Form {
    with_file("more pixels than bytes", &png(side, side, side))
}

pub fn forms() -> Vec<Form> {
    let part = "--edge\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n";
    let huge = png(u32::MAX >> 1, u32::MAX >> 1, 0);
    let whole = png(64, 64, 64);
    let noise = |signature: &[u8]| {
        let mut random = fastrand::Rng::with_seed(7);
        [signature, &(0..50_000).map(|_| random.u8(..)).collect::<Vec<_>>()].concat()
    };
    let mut forms = vec![
        form("no boundary", "multipart/form-data", part),
        form("an empty boundary", "multipart/form-data; boundary=", part),
        form("no form", "multipart/mixed; boundary=edge", part),
        form("a boundary that is not there", KIND, "--other\r\n\r\n"),
        form("nothing", KIND, ""),
        form("only an end", KIND, "--edge--\r\n"),
        form("a part without an end", KIND, &format!("{part}x")),
        form("a part without headers", KIND, "--edge\r\n\r\nx\r\n--edge--\r\n"),
        form("a part without a name", KIND, "--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--\r\n"),
        form(
            "a form in a form",
            KIND,
            "--edge\r\nContent-Type: multipart/mixed; boundary=in\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n--in--\r\n--edge--\r\n",
        ),
        form("headers without an end", KIND, &format!("--edge\r\n{}", "X-Long: x\r\n".repeat(20_000))),
        form("a long header", KIND, &format!("--edge\r\nX-Long: {}\r\n\r\nx\r\n--edge--\r\n", "x".repeat(500_000))),
        form("many parts", KIND, &(part.to_owned() + "\r\n").repeat(20_000)),
        form(
            "a name that leaves the folder",
            KIND,
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../../../../etc/passwd\"\r\n\r\nroot\r\n--edge--\r\n",
        ),
        form(
            "a name with a nul",
            KIND,
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\0.png\"\r\n\r\nx\r\n--edge--\r\n",
        ),
        form("JSON", "application/json", "{\"file\": \"x\"}"),
        with_file("nothing in it", b""),
        with_file("a script", b"#!/bin/sh\nrm -rf /\n"),
        with_file("a page", b"<html><script>alert(1)</script></html>"),
        with_file(
            "SVG with an entity",
            b"<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><svg>&x;</svg>",
        ),
        with_file("a signature alone", b"\x89PNG\r\n\x1a\n"),
        with_file("half of a picture", &whole[..whole.len() / 2]),
        with_file("sides of billions", &huge),
        with_file("a picture and a page", &[&whole[..], b"<html><script>alert(1)</script></html>"].concat()),
        large_picture(4_096),
        with_file("fewer rows than it says", &png(4_000, 4_000, 3)),
        with_file("more rows than it says", &png(10, 1, 4_000)),
        with_file("noise as PNG", &noise(b"\x89PNG\r\n\x1a\n")),
        with_file("noise as JPEG", &noise(b"\xff\xd8\xff\xe0\x00\x10JFIF\0")),
        with_file("noise as WebP", &noise(b"RIFF\xff\xff\x00\x00WEBPVP8 ")),
        with_file("3 MB", &[&whole[..], &vec![0; 3 << 20]].concat()),
        with_file("50 MB", &[&whole[..], &vec![0; 50 << 20]].concat()),
    ];
    for byte in (8..whole.len()).step_by(7) {
        let mut bent = whole.clone();
        bent[byte] ^= 0xff;
        forms.push(with_file("a bent byte", &bent));
    }
    forms
}
