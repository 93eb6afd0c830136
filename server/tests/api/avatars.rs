//! Account pictures: type detection by content, and re-encoding.
use crate::shop::{Customer, Shop, answer_of, clients};
use serde_json::{Value, json};
use std::io::Write;

/// A PNG of one colour, with this text as metadata.
fn png(width: u32, height: u32, note: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], data: &[u8]| {
        file.extend((data.len() as u32).to_be_bytes());
        let body = [kind, data].concat();
        file.extend(&body);
        let mut crc = flate2::Crc::new();
        crc.update(&body);
        file.extend(crc.sum().to_be_bytes());
    };
    // 8 bits per channel, three channels.
    chunk(b"IHDR", &[&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat());
    chunk(b"tEXt", &[b"Comment\0", note].concat());
    let mut pixels = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let row = [vec![0], [200, 30, 60].repeat(width as usize)].concat();
    for _ in 0..height {
        pixels.write_all(&row).expect("written");
    }
    chunk(b"IDAT", &pixels.finish().expect("finished"));
    chunk(b"IEND", &[]);
    file
}

async fn picture_of(shop: &Shop, customer: &Customer) -> Vec<u8> {
    let response = shop.get(customer, "User/GetAvatar").await;
    assert_eq!(response.headers()["Content-Type"], "image/png");
    assert_eq!(response.headers()["X-Content-Type-Options"], "nosniff");
    response.bytes().await.expect("a picture").to_vec()
}

fn rule(data: &Value) -> &Value {
    &data["Fields"]["File"][0]["Rule"]
}

#[actix_web::test]
async fn files_that_are_not_pictures_are_refused_whatever_their_name() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let whole = png(20, 20, b"");
    for (name, file, expected) in [
        ("a.png", &b"#!/bin/sh\nrm -rf /\n"[..], "picture"),
        ("a.png", b"<script>alert(1)</script>", "picture"),
        ("a.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>", "picture"),
        ("a.gif", b"GIF89a\x01\0\x01\0\0\0\0;", "picture"),
        ("a.png", b"\x89PNG\r\n\x1a\n and nothing more", "picture"),
        ("a.jpg", b"\xff\xd8\xff\xe0 and nothing more", "picture"),
        ("a.webp", b"RIFF\xff\xff\xff\xffWEBPVP8 and nothing more", "picture"),
        ("a.png", &whole[..whole.len() - 30], "picture"),
        ("a.png", b"", "required"),
    ] {
        let answer = shop.upload(&ann, "User/UploadAvatar", name, file).await;
        assert_eq!((answer.code, rule(&answer.data)), (2001, &json!(expected)), "{name} {answer:?}");
    }
    assert_eq!(answer_of(shop.get(&ann, "User/GetAvatar").await).await.code, 3004);
}

#[actix_web::test]
async fn decompression_bombs_are_refused_before_decoding() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    // 50,000 x 50,000 pixels in a few bytes: only the header says so.
    let mut bomb = png(1, 1, b"");
    let mut header = [b"IHDR".to_vec(), 50_000_u32.to_be_bytes().to_vec(), 50_000_u32.to_be_bytes().to_vec()].concat();
    header.extend([8, 2, 0, 0, 0]);
    let mut crc = flate2::Crc::new();
    crc.update(&header);
    bomb[12..29].copy_from_slice(&header);
    bomb[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    let answer = shop.upload(&ann, "User/UploadAvatar", "a.png", &bomb).await;
    assert!([json!("pictureSides"), json!("picture")].contains(rule(&answer.data)), "{answer:?}");
    let wide = shop.upload(&ann, "User/UploadAvatar", "a.png", &png(4_097, 1, b"")).await;
    assert_eq!(wide.data["Fields"]["File"][0], json!({"Rule": "pictureSides", "Params": {"Max": "4096"}}));
    assert_eq!(shop.upload(&ann, "User/UploadAvatar", "a.png", &png(4_096, 600, b"")).await.code, 1000);
}

#[actix_web::test]
async fn a_file_that_is_too_long_is_refused_while_it_arrives() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let mut long = png(20, 20, b"");
    long.resize((2 << 20) + 1, 0);
    let answer = shop.upload(&ann, "User/UploadAvatar", "a.png", &long).await;
    assert_eq!(rule(&answer.data), &json!("pictureBytes"));
    // 50 MB: the server stops reading, which a client may only notice as a closed connection.
    long.resize(50 << 20, 0);
    let head = b"--edge\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n".to_vec();
    let request = clients::new()
        .post(format!("{}/api/User/UploadAvatar", shop.url))
        .header("Token", &ann.token)
        .header("Content-Type", "multipart/form-data; boundary=edge")
        .body([head, long].concat());
    match request.send().await {
        Ok(response) => assert_eq!(response.status(), 413),
        Err(error) => assert!(error.is_request() || error.is_body(), "{error:?}"),
    }
    assert_eq!(shop.call(&ann, "User/GetCenter", json!({})).await.data["AvatarChangedAt"], Value::Null);
}

#[actix_web::test]
async fn a_form_without_the_file_or_that_is_no_form_is_refused() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let send = async |kind: &str, body: &str| {
        let headers = [("Token", ann.token.as_str()), ("Content-Type", kind)];
        answer_of(shop.post_raw("/api/User/UploadAvatar", body.to_owned(), &headers).await).await
    };
    let form = "multipart/form-data; boundary=edge";
    let other = "--edge\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--edge--\r\n";
    assert_eq!(rule(&send(form, other).await.data), &json!("required"));
    for (kind, body) in [
        ("application/json", "{}"),
        ("multipart/form-data", other),
        (form, "--edge\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx"),
        (form, "--other\r\n"),
        (form, ""),
    ] {
        assert_eq!(send(kind, body).await.code, 2001, "{kind} {body}");
    }
}

#[actix_web::test]
async fn only_pixels_are_kept_and_only_the_account_sees_them() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    // A polyglot file that also looks like HTML.
    let mut file = png(400, 200, b"GPS 52.5 13.4");
    file.extend(b"<html><script>alert(1)</script></html>");
    let answer = shop.upload(&ann, "User/UploadAvatar", "../../etc/passwd.html", &file).await;
    assert!(answer.code == 1000 && answer.data["AvatarChangedAt"].is_string(), "{answer:?}");
    let kept = picture_of(&shop, &ann).await;
    for text in [&b"GPS"[..], b"<script>", b"tEXt", b"passwd"] {
        assert!(!kept.windows(text.len()).any(|window| window == text), "{}", String::from_utf8_lossy(text));
    }
    assert_eq!((&kept[..8], &kept[16..24]), (&b"\x89PNG\r\n\x1a\n"[..], &[0, 0, 1, 0, 0, 0, 1, 0][..]), "256 by 256");
    assert_eq!(answer_of(shop.get(&bob, "User/GetAvatar").await).await.code, 3004);
    assert_eq!(clients::get(format!("{}/api/User/GetAvatar", shop.url)).await.expect("an answer").status(), 401);
    assert_eq!(
        shop.call(&ann, "User/GetCenter", json!({})).await.data["AvatarChangedAt"],
        answer.data["AvatarChangedAt"]
    );
    assert_eq!(shop.upload(&ann, "User/UploadAvatar", "a.png", &png(20, 20, b"")).await.code, 1000);
    assert_ne!(picture_of(&shop, &ann).await, kept, "another one takes its place");
    assert_eq!(shop.call(&ann, "User/DeleteAvatar", json!({})).await.code, 1000);
    assert_eq!(answer_of(shop.get(&ann, "User/GetAvatar").await).await.code, 3004);
}
