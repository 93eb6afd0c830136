//! The front end and the texts, as served to browsers.
use crate::shop::{Shop, clients};
use postern_core::screens::screens;
use reqwest::Response;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const PAGE: &str = "<!doctype html><title>the page of every screen</title>";

fn script() -> String {
    "import('./other.js');\n".repeat(100)
}

/// As the build compresses it: better than the server would.
fn brotli_of(text: &str) -> Vec<u8> {
    let mut compressed = Vec::new();
    brotli::CompressorWriter::new(&mut compressed, 4_096, 11, 22).write_all(text.as_bytes()).expect("memory");
    compressed
}

/// A shop with a front end of a few files, one of which the build has compressed.
async fn shop_with_a_front_end(name: &str) -> Shop {
    shop_with_a_page(name, PAGE, "Postern").await
}

async fn shop_with_a_page(name: &str, page: &str, shop_name: &str) -> Shop {
    let folder = std::env::temp_dir().join(format!("postern_site_{}_{name}", std::process::id()));
    std::fs::create_dir_all(folder.join("assets")).expect("a folder");
    std::fs::write(folder.join("index.html"), page).expect("a page");
    std::fs::write(folder.join("favicon.svg"), "<svg/>").expect("an icon");
    std::fs::write(folder.join("assets/main-abc.js"), script()).expect("a script");
    std::fs::write(folder.join("assets/main-abc.js.br"), brotli_of(&script())).expect("a script");
    let web_dir = folder.display().to_string();
    let shop = Shop::open_with(&[("POSTERN_WEB_DIR", &web_dir), ("POSTERN_SHOP_NAME", shop_name)]);
    // It listens before it has started; requests wait until then.
    assert_eq!(fetch(&shop, "/health/live", &[]).await.status(), 200);
    std::fs::remove_dir_all(&folder).expect("everything is read at start");
    shop
}

async fn fetch(shop: &Shop, path: &str, headers: &[(reqwest::header::HeaderName, &str)]) -> Response {
    let mut request = clients::new().get(format!("{}{path}", shop.url));
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    request.send().await.expect("an answer")
}

fn header(response: &Response, name: reqwest::header::HeaderName) -> &str {
    response.headers().get(name).map_or("", |value| value.to_str().expect("a header"))
}

#[actix_web::test]
async fn every_screen_is_the_same_page_with_revalidation() {
    let shop = shop_with_a_front_end("page").await;
    for path in ["/", "/login", "/billing/wallet", "/index.html"] {
        let answer = fetch(&shop, path, &[]).await;
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(header(&answer, CACHE_CONTROL), "no-cache", "{path}");
        assert_eq!(header(&answer, CONTENT_TYPE), "text/html; charset=utf-8", "{path}");
        let etag = header(&answer, ETAG).to_owned();
        assert_eq!(answer.text().await.expect("a page"), PAGE, "{path}");
        let again = fetch(&shop, path, &[(IF_NONE_MATCH, &format!("\"another\", W/{etag}"))]).await;
        assert_eq!((again.status().as_u16(), header(&again, ETAG)), (304, etag.as_str()), "{path}");
        assert_eq!(fetch(&shop, path, &[(IF_NONE_MATCH, "\"another\"")]).await.status(), 200, "{path}");
    }
}

/// Programs are told plainly; a browser, and whoever is below one of the app's entries, gets the app, which says so.
#[actix_web::test]
async fn an_unknown_address_is_not_found() {
    let shop = shop_with_a_front_end("unknown").await;
    for path in screens() {
        let path = path.replace(":accountId", "17");
        assert_eq!(fetch(&shop, &path, &[]).await.status(), 200, "{path}");
    }
    let browser = [(ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8")];
    for (path, for_programs, for_browsers) in [
        ("/billing/nothing", true, true),
        ("/login/nothing", true, true),
        ("/welcome/products.html", true, true),
        ("/nothing", false, true),
        ("/help-center", false, true),
        ("//login", false, true),
        ("/metrics", false, false),
        ("/.env", false, false),
        ("/billing/.git/config", false, false),
        ("/lists/x/", false, false),
        ("/lists", false, false),
        ("/health", false, false),
        ("/assets/nothing.js", false, false),
        ("/locales/en/nothing.json", false, false),
    ] {
        for (headers, is_the_app) in [(&[][..], for_programs), (&browser[..], for_browsers)] {
            let answer = fetch(&shop, path, headers).await;
            assert_eq!((answer.status().as_u16(), header(&answer, ETAG).is_empty()), (404, true), "{path}");
            let is_page = header(&answer, CONTENT_TYPE).starts_with("text/html");
            let text = answer.text().await.expect("a text");
            assert_eq!((is_page, text == PAGE), (is_the_app, is_the_app), "{path}: {text}");
        }
    }
}

#[actix_web::test]
async fn the_documentation_is_served_as_it_was_built() {
    let folder = std::env::temp_dir().join(format!("postern_docs_{}", std::process::id()));
    for (name, text) in [
        ("index.html", PAGE),
        ("docs/index.html", "<title>Postern</title>docs"),
        ("docs/api.html", "<title>Postern</title>api"),
        ("docs/404.html", "not here"),
        ("docs/zh/index.html", "文档"),
        ("docs/assets/a.123.js", "1"),
        ("docs/deploy/Caddyfile", "shop.example.com {}"),
    ] {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a page");
    }
    let shop = Shop::open_with(&[("POSTERN_WEB_DIR", &folder.display().to_string()), ("POSTERN_SHOP_NAME", "Acme")]);
    let browser = [(ACCEPT, "text/html")];
    for (path, status, text, cached) in [
        ("/docs/", 200, "<title>Postern</title>docs", "no-cache"),
        ("/docs/api", 200, "<title>Postern</title>api", "no-cache"),
        ("/docs/api.html", 200, "<title>Postern</title>api", "no-cache"),
        ("/docs/zh/", 200, "文档", "no-cache"),
        ("/docs/zh", 200, "文档", "no-cache"),
        ("/docs/assets/a.123.js", 200, "1", "public, max-age=31536000, immutable"),
        ("/docs/nothing", 404, "not here", "no-cache"),
        ("/docs/../index.html", 200, PAGE, "no-cache"),
    ] {
        let answer = fetch(&shop, path, &browser).await;
        assert_eq!((answer.status().as_u16(), header(&answer, CACHE_CONTROL)), (status, cached), "{path}");
        let page = answer.text().await.expect("a page");
        assert_eq!(page.replace("<title>Acme", "<title>Postern"), text, "{path}");
    }
    assert_eq!(fetch(&shop, "/docs?x=1", &browser).await.url().path(), "/docs/");
    assert!(header(&fetch(&shop, "/docs/deploy/Caddyfile", &browser).await, CONTENT_TYPE).starts_with("text/plain"));
    assert!(fetch(&shop, "/docs/nothing", &[]).await.text().await.expect("a text").contains("nothing at this address"));
    assert_eq!(fetch(&shop, "/docsy", &[]).await.status(), 404);
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[actix_web::test]
async fn the_page_names_the_shop() {
    let page = "<html><head><title>Postern</title></head></html>";
    let shop = shop_with_a_page("shop", page, r#"Ann's "fast" <IPs>"#).await;
    let answer = fetch(&shop, "/login", &[]).await.text().await.expect("a page");
    let name = "Ann&#39;s &quot;fast&quot; &lt;IPs&gt;";
    assert_eq!(
        answer,
        format!("<html><head><title>Postern</title><meta name=\"shop\" content=\"{name}\" data-demo></head></html>")
    );
}

#[actix_web::test]
async fn the_page_has_the_brand_and_the_logo_is_immutable() {
    let folder = std::env::temp_dir().join(format!("postern_brand_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let page = "<html><head><link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\" /></head></html>";
    std::fs::write(folder.join("index.html"), page).expect("a page");
    let logo = folder.join("logo.bin");
    std::fs::write(&logo, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").expect("a logo");
    let (web_dir, logo_file) = (folder.display().to_string(), logo.display().to_string());
    let shop = Shop::open_with(&[
        ("POSTERN_WEB_DIR", &web_dir),
        ("POSTERN_LOGO_FILE", &logo_file),
        ("POSTERN_BRAND_COLOUR", "#00a651"),
        ("POSTERN_TAGLINE", "Fast & clean"),
    ]);
    let answer = fetch(&shop, "/login", &[]).await.text().await.expect("a page");
    std::fs::remove_dir_all(&folder).expect("everything is read at start");
    assert!(answer.contains("data-tagline-en=\"Fast &amp; clean\" data-tagline-zh=\"Fast &amp; clean\""), "{answer}");
    assert!(answer.contains("<style>:root{--brand:#"), "{answer}");
    let path = answer.split("data-logo=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a logo");
    assert!(
        answer.contains(&format!("<link rel=\"icon\" href=\"{path}\">")) && !answer.contains("favicon"),
        "{answer}"
    );
    let logo = fetch(&shop, path, &[]).await;
    assert_eq!(
        (header(&logo, CONTENT_TYPE), header(&logo, CACHE_CONTROL)),
        ("image/svg+xml", "public, max-age=31536000, immutable")
    );
    assert_eq!(fetch(&shop, "/brand/other.svg", &[]).await.status(), 404);
}

#[actix_web::test]
async fn a_wide_logo_replaces_the_name_on_every_page() {
    let folder = std::env::temp_dir().join(format!("postern_wordmark_{}", std::process::id()));
    std::fs::create_dir_all(folder.join("assets")).expect("a folder");
    std::fs::write(folder.join("index.html"), "<head></head>").expect("a page");
    std::fs::write(folder.join("login.html"), "<head></head><!--if wordmark-->{wordmark}<!--else--><!--end-->")
        .expect("a page");
    std::fs::write(folder.join("assets/poppins-latin-400-normal-x1.woff2"), "a font").expect("a font");
    let logo = folder.join("logo.svg");
    let (web_dir, logo_file) = (folder.display().to_string(), logo.display().to_string());
    for (size, is_wordmark) in [("0 0 300 100", true), ("0 0 100 100", false)] {
        std::fs::write(&logo, format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{size}\"/>"))
            .expect("a logo");
        let shop = Shop::open_with(&[
            ("POSTERN_WEB_DIR", &web_dir),
            ("POSTERN_LOGO_FILE", &logo_file),
            ("POSTERN_BRAND_COLOUR", "#00a651"),
            ("POSTERN_SHOP_NAME", "Ann <IPs>"),
        ]);
        let screen = fetch(&shop, "/login", &[]).await.text().await.expect("a page");
        assert_eq!(screen.contains(" data-wordmark"), is_wordmark, "{screen}");
        let path = screen.split("data-logo=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a logo");
        assert_eq!(screen.ends_with(path), is_wordmark, "{screen}");
        // Pages that the server renders.
        for page in ["/demo/mail", "/sandbox/pay/unknown", "/pay/transfer/unknown"] {
            let page = fetch(&shop, page, &[]).await.text().await.expect("a page");
            let head = if is_wordmark {
                format!("<header><img src=\"{path}\" alt=\"Ann &lt;IPs&gt;\"></header>")
            } else {
                format!("<header><img src=\"{path}\" alt=\"\">Ann &lt;IPs&gt;</header>")
            };
            assert!(page.contains(&head), "{page}");
            assert!(
                page.contains("src:url(/assets/poppins-latin-400-normal-x1.woff2)") && !page.contains("#2457d6}"),
                "{page}"
            );
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
}

#[actix_web::test]
async fn a_prerendered_screen_has_the_brand_in_its_markup() {
    let folder = std::env::temp_dir().join(format!("postern_first_screen_{}", std::process::id()));
    std::fs::create_dir_all(folder.join("assets")).expect("a folder");
    std::fs::write(folder.join("index.html"), PAGE).expect("a page");
    let place = |key: &str| format!("<!--if {key}--><i title=\"{{{key}}}\"></i><!--else-->no {key}<!--end-->");
    let page = format!(
        "<head></head><b>{{shop}}</b>{}{}{}{}{}{}",
        place("wordmark"),
        place("icon"),
        place("tagline-en"),
        place("tagline-zh"),
        place("demo"),
        place("no-logo")
    );
    std::fs::write(folder.join("login.html"), page).expect("a page");
    std::fs::write(folder.join("assets/login.html"), "a file of that name").expect("a file");
    std::fs::create_dir_all(folder.join("welcome")).expect("a folder");
    std::fs::write(folder.join("welcome/products.html"), "<head></head>Welcome to {shop}").expect("a page");
    let web_dir = folder.display().to_string();
    let shop = Shop::open_with(&[
        ("POSTERN_WEB_DIR", &web_dir),
        ("POSTERN_SHOP_NAME", "Ann <IPs>"),
        ("POSTERN_TAGLINE_ZH", "<!--if demo-->{shop}"),
    ]);
    let answer = fetch(&shop, "/login?lang=zh", &[]).await;
    assert_eq!(header(&answer, CACHE_CONTROL), "no-cache");
    let body = answer.text().await.expect("a page");
    let (_, markup) = body.split_once("</head>").expect("a head");
    assert_eq!(
        markup,
        "<b>Ann &lt;IPs&gt;</b>no wordmarkno iconno tagline-en<i title=\"&lt;!--if demo--&gt;{shop}\"></i><i title=\"\"></i><i title=\"\"></i>"
    );
    assert_eq!(fetch(&shop, "/login.html", &[]).await.status(), 404);
    for (path, expected) in [
        ("/login/", PAGE),
        ("/sign-up", PAGE),
        ("/assets/login.html", "a file of that name"),
        ("/welcome/products", "Welcome to Ann &lt;IPs&gt;"),
        ("/welcome/products.html", PAGE),
        ("/welcome", PAGE),
    ] {
        assert!(fetch(&shop, path, &[]).await.text().await.expect("a page").contains(expected), "{path}");
    }
    std::fs::remove_dir_all(&folder).expect("everything is read at start");
}

#[actix_web::test]
async fn files_are_served_in_the_best_encoding_with_separate_etags() {
    let shop = shop_with_a_front_end("encodings").await;
    let mut tags = Vec::new();
    let gunzip = |bytes: &[u8]| {
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).expect("as gzip");
        text
    };
    for (accepted, encoding) in [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("identity", "")] {
        let answer = fetch(&shop, "/assets/main-abc.js", &[(ACCEPT_ENCODING, accepted)]).await;
        assert_eq!(header(&answer, CONTENT_ENCODING), encoding);
        assert_eq!(header(&answer, CONTENT_TYPE), "text/javascript; charset=utf-8");
        assert_eq!(header(&answer, CACHE_CONTROL), "public, max-age=31536000, immutable");
        assert_eq!(header(&answer, VARY), "Accept-Encoding");
        tags.push(header(&answer, ETAG).to_owned());
        let body = answer.bytes().await.expect("a body");
        match encoding {
            "br" => assert_eq!(body, brotli_of(&script())),
            "gzip" => assert_eq!(gunzip(&body), script()),
            _ => assert_eq!(body, script()),
        }
    }
    tags.dedup();
    assert_eq!(tags.len(), 3, "{tags:?}");
}

#[actix_web::test]
async fn head_requests_get_no_body() {
    let shop = shop_with_a_front_end("head").await;
    let answer = clients::new().head(format!("{}/login", shop.url)).send().await.expect("an answer");
    assert_eq!((answer.status().as_u16(), header(&answer, CONTENT_LENGTH)), (200, PAGE.len().to_string().as_str()));
    assert_eq!(answer.text().await.expect("nothing"), "");
    let answer = clients::new().post(format!("{}/login", shop.url)).send().await.expect("an answer");
    assert_eq!(answer.status(), 405);
}

#[actix_web::test]
async fn texts_of_several_namespaces_are_served_together() {
    let shop = Shop::open();
    let one = fetch(&shop, "/locales/zh/auth.json?v=20251012163315", &[]).await;
    assert_eq!((header(&one, CACHE_CONTROL), header(&one, CONTENT_TYPE)), ("no-cache", "application/json"));
    let one: serde_json::Value = one.json().await.expect("texts");
    let both = fetch(&shop, "/locales/zh/common+auth.json", &[(ACCEPT_ENCODING, "br")]).await;
    assert_eq!((header(&both, CACHE_CONTROL), header(&both, CONTENT_ENCODING)), ("no-cache", "br"));
    let both: serde_json::Value = fetch(&shop, "/locales/zh/common+auth.json", &[]).await.json().await.expect("texts");
    assert_eq!(both["auth"], one);
    assert_eq!(both.as_object().expect("an object").keys().collect::<Vec<_>>(), ["auth", "common"]);
    for absent in
        ["zh/common+nothing.json", "zh/auth+auth.json", "fr/auth.json", "zh/auth+.json", "zh/auth", "zh+auth.json"]
    {
        assert_eq!(fetch(&shop, &format!("/locales/{absent}"), &[]).await.status(), 404, "{absent}");
    }
}

/// An operator changes a word, and restarts the server.
#[actix_web::test]
async fn changed_texts_have_an_address_of_their_own() {
    let folder = std::env::temp_dir().join(format!("postern_site_{}_texts", std::process::id()));
    let (texts, web) = (folder.join("locales"), folder.join("web"));
    for language in ["en", "zh"] {
        std::fs::create_dir_all(texts.join(language)).expect("a folder");
        let shipped = format!("{}/../locales/{language}", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(shipped).expect("texts") {
            let file = file.expect("a file");
            std::fs::copy(file.path(), texts.join(language).join(file.file_name())).expect("a copy");
        }
    }
    std::fs::create_dir_all(&web).expect("a folder");
    std::fs::write(web.join("index.html"), "<!doctype html><html lang=\"en\"><head></head></html>").expect("a page");
    let (texts_dir, web_dir) = (texts.display().to_string(), web.display().to_string());
    let open = || Shop::open_with(&[("POSTERN_WEB_DIR", &web_dir), ("POSTERN_LOCALES_DIR", &texts_dir)]);
    let version = async |shop: &Shop| {
        let page = fetch(shop, "/", &[]).await.text().await.expect("a page");
        page.split("data-texts=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a version").to_owned()
    };
    let (first, same) = (open(), open());
    let old = version(&first).await;
    assert_eq!(version(&same).await, old);
    let path = texts.join("zh/common.json");
    let changed = std::fs::read_to_string(&path).expect("texts").replacen("\": \"", "\": \"!", 1);
    std::fs::write(&path, changed).expect("texts");
    let second = open();
    let new = version(&second).await;
    assert_ne!(new, old);
    for (asked, expected) in [(&new, "public, max-age=31536000, immutable"), (&old, "no-cache")] {
        let answer = fetch(&second, &format!("/locales/zh/common+auth.json?v={asked}"), &[]).await;
        assert_eq!(header(&answer, CACHE_CONTROL), expected);
        assert!(answer.text().await.expect("texts").contains("\": \"!"));
    }
    std::fs::remove_dir_all(&folder).expect("everything is read at start");
}

/// Raw paths, which HTTP libraries would normalise.
#[actix_web::test]
async fn path_traversal_is_impossible() {
    let shop = shop_with_a_front_end("paths").await;
    let secret = std::env::temp_dir().join(format!("postern_site_{}_secret", std::process::id()));
    std::fs::write(&secret, "nobody's business").expect("a file");
    let name = secret.file_name().and_then(|name| name.to_str()).expect("a name");
    let address = shop.url.trim_start_matches("http://");
    for path in [
        format!("/../{name}"),
        format!("/assets/../../{name}"),
        format!("/assets/..%2f..%2f{name}"),
        format!("/locales/en/..%2f..%2f..%2f{name}"),
        format!("/locales/en/../../../{name}+auth.json"),
        format!("//{}", secret.display()),
        format!("/locales//{}", secret.display()),
        format!("/%2e%2e/{name}"),
        format!("/assets/{name}%00.js"),
    ] {
        let mut stream = TcpStream::connect(address).expect("a connection");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n").expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 "), "{path}: {answer}");
        assert!(!answer.contains("nobody's business"), "{path}");
    }
    std::fs::remove_file(&secret).expect("the file");
}

/// If headers and body were sent in two packets, each would wait 40 ms for the acknowledgement of the previous one.
#[actix_web::test]
async fn files_on_a_kept_connection_are_not_delayed_by_acknowledgements() {
    let shop = Shop::open();
    let address = shop.url.trim_start_matches("http://").to_owned();
    let mut stream = BufReader::new(TcpStream::connect(address).expect("a connection"));
    let mut quickest = Duration::MAX;
    for _ in 0..50 {
        let begin = Instant::now();
        let request = "GET /locales/en/static_residential_proxies.json HTTP/1.1\r\nHost: shop\r\n\r\n";
        stream.get_mut().write_all(request.as_bytes()).expect("a request");
        let (mut line, mut length) = (String::new(), 0);
        while line != "\r\n" {
            line.clear();
            stream.read_line(&mut line).expect("a header");
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().expect("a length");
            }
        }
        assert!(length > 10_000);
        stream.read_exact(&mut vec![0; length]).expect("a body");
        quickest = quickest.min(begin.elapsed());
    }
    // Otherwise each would take 40 ms.
    assert!(quickest < Duration::from_millis(30), "the quickest file took {quickest:?}");
}

#[actix_web::test]
async fn only_large_responses_are_compressed() {
    let shop = Shop::open();
    let large = fetch(&shop, "/api/openapi.json", &[(ACCEPT_ENCODING, "gzip, br")]).await;
    assert_eq!((header(&large, CONTENT_ENCODING), header(&large, VARY)), ("br", "Accept-Encoding"));
    let large = fetch(&shop, "/api/openapi.json", &[(ACCEPT_ENCODING, "gzip")]).await;
    assert_eq!(header(&large, CONTENT_ENCODING), "gzip");
    let small = fetch(&shop, "/api/SystemSettings/GetPublicConfig", &[(ACCEPT_ENCODING, "gzip, br")]).await;
    assert_eq!(header(&small, CONTENT_ENCODING), "");
}
