//! A file cached in memory with its compressed variants, each with its own ETag.
use super::compress::{Encoding, LEAST_BYTES};
use actix_web::http::header::HeaderValue;
use actix_web::web::Bytes;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::io::{Read, Write};
use std::sync::OnceLock;

/// Quality for files that the build has not compressed: takes a millisecond or two, and without optimisation twenty times as long.
const BROTLI_QUALITY: u32 = if cfg!(debug_assertions) { 1 } else { 6 };
const BROTLI_WINDOW_BITS: u32 = 22;

#[derive(Clone)]
pub struct EncodedBody {
    pub bytes: Bytes,
    pub etag: HeaderValue,
}

impl EncodedBody {
    fn new(bytes: Vec<u8>) -> EncodedBody {
        let hash = hex::encode(&Sha256::digest(&bytes)[..12]);
        let etag = HeaderValue::from_str(&format!("\"{hash}\"")).expect("hex is a header value");
        EncodedBody { bytes: bytes.into(), etag }
    }
}

/// A file with its variants. A text is kept as Brotli, a fifth of its size; the others are made when they are first asked for.
pub struct CachedFile {
    pub content_type: &'static str,
    plain: OnceLock<EncodedBody>,
    /// `None` if compression gains nothing.
    brotli: Option<EncodedBody>,
    gzip: OnceLock<Option<EncodedBody>>,
}

impl CachedFile {
    pub fn new(extension: &str, bytes: Vec<u8>) -> CachedFile {
        let (content_type, is_text) = content_type_of(extension);
        let is_compressible = is_text && bytes.len() as u64 >= LEAST_BYTES;
        let compressed = is_compressible.then(|| brotli(&bytes).ok()).flatten();
        match compressed.filter(|compressed| compressed.len() < bytes.len()) {
            Some(compressed) => CachedFile::of_brotli(content_type, compressed),
            None => CachedFile::plain(extension, bytes),
        }
    }

    /// A file that is not worth compressing, or not kept.
    pub fn plain(extension: &str, bytes: Vec<u8>) -> CachedFile {
        let (content_type, _) = content_type_of(extension);
        CachedFile { content_type, plain: EncodedBody::new(bytes).into(), brotli: None, gzip: OnceLock::from(None) }
    }

    /// A file that the build has compressed better than a start-up has time for. Fails if it does not unpack to `bytes`.
    pub fn of_build(extension: &str, bytes: &[u8], brotli: Vec<u8>) -> anyhow::Result<CachedFile> {
        anyhow::ensure!(unbrotli(&brotli)? == bytes, "the compressed file is not of the same build");
        Ok(CachedFile::of_brotli(content_type_of(extension).0, brotli))
    }

    fn of_brotli(content_type: &'static str, brotli: Vec<u8>) -> CachedFile {
        CachedFile {
            content_type,
            plain: OnceLock::new(),
            brotli: Some(EncodedBody::new(brotli)),
            gzip: OnceLock::new(),
        }
    }

    /// Differs from that of a file with other content.
    pub fn hash(&self) -> &str {
        let kept = self.brotli.as_ref().or_else(|| self.plain.get());
        kept.and_then(|body| body.etag.to_str().ok()).expect("a file has one of the two, and its tag is hex")
    }

    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match (self.plain.get(), &self.brotli) {
            (Some(body), _) => Cow::from(&body.bytes[..]),
            (None, Some(body)) => Cow::from(unbrotli(&body.bytes).expect("compressed by us, or compared")),
            (None, None) => unreachable!("a file has one of the two from its beginning"),
        }
    }

    /// The body in the accepted encoding, or uncompressed if that is no larger.
    pub fn body(&self, accepted: Encoding) -> (Encoding, &EncodedBody) {
        let made = match accepted {
            Encoding::Brotli => self.brotli.as_ref(),
            Encoding::Gzip => self.gzip.get_or_init(|| self.gzipped()).as_ref(),
            Encoding::Plain => None,
        };
        let plain = || self.plain.get_or_init(|| EncodedBody::new(self.bytes().into_owned()));
        made.map_or_else(|| (Encoding::Plain, plain()), |body| (accepted, body))
    }

    fn gzipped(&self) -> Option<EncodedBody> {
        let plain = self.bytes();
        let bytes = gzip(&plain).ok()?;
        (bytes.len() < plain.len()).then(|| EncodedBody::new(bytes))
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

fn unbrotli(compressed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    brotli::Decompressor::new(compressed, compressed.len().max(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes)?;
    writer.finish()
}

/// The content type by file extension, and whether such files are compressible text.
fn content_type_of(extension: &str) -> (&'static str, bool) {
    match extension {
        "html" => ("text/html; charset=utf-8", true),
        "js" | "mjs" => ("text/javascript; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "json" => ("application/json", true),
        // Also configurations that the documentation offers.
        "txt" | "cfg" | "conf" | "example" | "service" | "socket" | "timer" | "yaml" | "yml" | "" => {
            ("text/plain; charset=utf-8", true)
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_unpacks_to_the_file() {
        let text = "a line of a script\n".repeat(1_000);
        let file = CachedFile::new("js", text.clone().into_bytes());
        assert!(file.plain.get().is_none(), "only the compressed file is kept");
        let (encoding, body) = file.body(Encoding::Brotli);
        assert_eq!((encoding, unbrotli(&body.bytes).expect("brotli")), (Encoding::Brotli, text.clone().into_bytes()));
        let (encoding, body) = file.body(Encoding::Gzip);
        let mut unpacked = String::new();
        flate2::read::GzDecoder::new(&body.bytes[..]).read_to_string(&mut unpacked).expect("gzip");
        assert_eq!((encoding, unpacked), (Encoding::Gzip, text.clone()));
        assert_eq!(
            (file.body(Encoding::Plain).0, &file.body(Encoding::Plain).1.bytes[..]),
            (Encoding::Plain, text.as_bytes())
        );
    }

    #[test]
    fn small_files_and_pictures_are_served_as_they_are() {
        for file in [CachedFile::new("svg", b"<svg/>".to_vec()), CachedFile::new("png", vec![0; 5_000])] {
            for accepted in [Encoding::Brotli, Encoding::Gzip, Encoding::Plain] {
                assert_eq!(file.body(accepted).0, Encoding::Plain);
            }
        }
    }

    #[test]
    fn a_compressed_file_of_another_build_is_refused() {
        let compressed = |text: &[u8]| brotli(text).expect("memory");
        assert!(CachedFile::of_build("js", b"one", compressed(b"one")).is_ok());
        assert!(CachedFile::of_build("js", b"one", compressed(b"other")).is_err());
        assert!(CachedFile::of_build("js", b"one", b"not compressed".to_vec()).is_err());
    }
}
