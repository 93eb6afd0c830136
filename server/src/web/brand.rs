//! The seller's brand on every screen: name, logo, colour and tagline.
use crate::brand::logo::Logo;
use crate::brand::pages::escape;
use crate::config::Config;
use crate::web::cached::CachedFile;

/// Fills in the placeholders of a key in the built page: `<!--if KEY-->…{KEY}…<!--else-->…<!--end-->`.
fn fill(html: &mut String, key: &str, value: Option<&str>) {
    let begin = format!("<!--if {key}-->");
    let split = |html: &str| {
        let (before, rest) = html.split_once(&begin)?;
        let (with, rest) = rest.split_once("<!--else-->")?;
        let (without, after) = rest.split_once("<!--end-->")?;
        let chosen = value.map_or(without.to_owned(), |value| with.replace(&format!("{{{key}}}"), &escape(value)));
        Some([before, &chosen, after].concat())
    };
    while let Some(filled) = split(html) {
        *html = filled;
    }
}

/// The page with the brand filled in, so that it shows without a call, and with the version of the texts that it loads.
pub fn with_brand(page: &CachedFile, config: &Config, logo: Option<&Logo>, texts_version: &str) -> CachedFile {
    let mut meta = format!("<meta name=\"shop\" content=\"{}\"", escape(&config.shop_name));
    for (language, tagline) in [("en", &config.tagline_en), ("zh", &config.tagline_zh)] {
        if !tagline.is_empty() {
            meta.push_str(&format!(" data-tagline-{language}=\"{}\"", escape(tagline)));
        }
    }
    if let Some(logo) = logo {
        meta.push_str(&format!(" data-logo=\"{}\"", logo.path));
        if logo.is_wordmark {
            meta.push_str(" data-wordmark");
        }
    }
    meta.push_str(if config.is_demo() { " data-demo>" } else { ">" });
    if let Some(colour) = config.brand_colour {
        meta.push_str(&format!("<style>{}</style>", colour.style()));
    }
    meta.push_str("</head>");
    let mut html = String::from_utf8_lossy(&page.bytes()).replace("{shop}", &escape(&config.shop_name));
    let path = |is_wordmark| logo.filter(|logo| logo.is_wordmark == is_wordmark).map(|logo| logo.path.as_str());
    fill(&mut html, "wordmark", path(true));
    fill(&mut html, "icon", path(false));
    fill(&mut html, "no-logo", logo.is_none().then_some(""));
    for (key, tagline) in [("tagline-en", &config.tagline_en), ("tagline-zh", &config.tagline_zh)] {
        fill(&mut html, key, Some(tagline.as_str()).filter(|tagline| !tagline.is_empty()));
    }
    fill(&mut html, "demo", config.is_demo().then_some(""));
    html = html.replacen("</head>", &meta, 1);
    html = html.replacen("<html ", &format!("<html data-texts=\"{texts_version}\" "), 1);
    if let Some(logo) = logo {
        let icon = html.find("<link rel=\"icon\"").and_then(|at| Some(at..at + html[at..].find('>')? + 1));
        if let Some(icon) = icon {
            html.replace_range(icon, &format!("<link rel=\"icon\" href=\"{}\">", logo.path));
        }
    }
    CachedFile::new("html", html.into_bytes())
}
