//! A file cached in memory with its compressed variants, each with its own ETag.
use super::compress::{Encoding, LEAST_BYTES};
use actix_web::http::header::HeaderValue;
use actix_web::web::Bytes;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::sync::OnceLock;

/// Quality for compression on first request, of files that the build has not compressed: takes a millisecond or two.
const BROTLI_QUALITY: u32 = 6;
const BROTLI_WINDOW_BITS: u32 = 22;

#[derive(Clone)]
pub struct Body {
    pub bytes: Bytes,
    pub etag: HeaderValue,
}

impl Body {
    fn new(bytes: Vec<u8>) -> Body {
        let hash = hex::encode(&Sha256::digest(&bytes)[..12]);
        let etag = HeaderValue::from_str(&format!("\"{hash}\"")).expect("hex is a header value");
        Body { bytes: bytes.into(), etag }
    }
}

/// A file with its variants.
pub struct CachedFile {
    pub content_type: &'static str,
    plain: Body,
    /// Created on first request unless the build did; `None` inside if compression gains nothing.
    brotli: OnceLock<Option<Body>>,
    gzip: OnceLock<Option<Body>>,
}

impl CachedFile {
    pub fn new(extension: &str, bytes: Vec<u8>) -> CachedFile {
        let (content_type, is_text) = content_type_of(extension);
        let file = CachedFile { content_type, plain: Body::new(bytes), brotli: OnceLock::new(), gzip: OnceLock::new() };
        if !is_text || (file.plain.bytes.len() as u64) < LEAST_BYTES {
            file.brotli.get_or_init(|| None);
            file.gzip.get_or_init(|| None);
        }
        file
    }

    /// Uses a compressed variant from the build.
    pub fn with(mut self, encoding: Encoding, bytes: Vec<u8>) -> CachedFile {
        let made = OnceLock::from(Some(Body::new(bytes)));
        match encoding {
            Encoding::Brotli => self.brotli = made,
            Encoding::Gzip => self.gzip = made,
            Encoding::Plain => {}
        }
        self
    }

    pub fn bytes(&self) -> &[u8] {
        &self.plain.bytes
    }

    /// The body in the accepted encoding, or uncompressed if that is no larger.
    pub fn body(&self, accepted: Encoding) -> (Encoding, &Body) {
        let made = match accepted {
            Encoding::Brotli => self.brotli.get_or_init(|| self.smaller(brotli)).as_ref(),
            Encoding::Gzip => self.gzip.get_or_init(|| self.smaller(gzip)).as_ref(),
            Encoding::Plain => None,
        };
        made.map_or((Encoding::Plain, &self.plain), |body| (accepted, body))
    }

    fn smaller(&self, compress: fn(&[u8]) -> std::io::Result<Vec<u8>>) -> Option<Body> {
        let bytes = compress(&self.plain.bytes).ok()?;
        (bytes.len() < self.plain.bytes.len()).then(|| Body::new(bytes))
    }
}

fn brotli(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    let mut writer =
        brotli::CompressorWriter::new(&mut compressed, bytes.len().max(1), BROTLI_QUALITY, BROTLI_WINDOW_BITS);
    writer.write_all(bytes)?;
    drop(writer);
    Ok(compressed)
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(bytes)?;
    writer.finish()
}

/// The content type by file extension, and whether such files are compressible text.
fn content_type_of(extension: &str) -> (&'static str, bool) {
    match extension {
        "html" => ("text/html; charset=utf-8", true),
        "js" => ("text/javascript; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "json" => ("application/json", true),
        "txt" => ("text/plain; charset=utf-8", true),
        "svg" => ("image/svg+xml", true),
        "wasm" => ("application/wasm", true),
        "woff2" => ("font/woff2", false),
        "png" => ("image/png", false),
        "ico" => ("image/x-icon", false),
        "webp" => ("image/webp", false),
        "webmanifest" => ("application/manifest+json", true),
        _ => ("application/octet-stream", false),
    }
}
