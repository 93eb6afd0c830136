//! Compression: negotiates the encoding, and decides which responses are worth compressing.
use actix_http::encoding::Encoder;
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ResponseHead, ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_TYPE, ContentEncoding, HeaderValue};
use actix_web::middleware::Next;

/// Minimum size: smaller bodies fit into one packet and arrive no sooner when compressed.
pub const LEAST_BYTES: u64 = 1_024;

/// Bodies from this size on are compressed as streams are.
const LARGE_BYTES: u64 = 256 << 10;

/// The supported encodings, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Brotli,
    Gzip,
    Plain,
}

impl Encoding {
    /// The best encoding that `Accept-Encoding` allows; identity if it says nothing.
    pub fn accepted(header: Option<&HeaderValue>) -> Encoding {
        let all = Encoding::all_accepted(header);
        [Encoding::Brotli, Encoding::Gzip]
            .into_iter()
            .find(|encoding| all.contains(encoding))
            .unwrap_or(Encoding::Plain)
    }

    /// The encoding of a stream or a large body: Brotli would keep megabytes of it in memory until the receiver has read it.
    fn accepted_for_large(header: Option<&HeaderValue>) -> Encoding {
        if Encoding::all_accepted(header).contains(&Encoding::Gzip) { Encoding::Gzip } else { Encoding::Plain }
    }

    fn all_accepted(header: Option<&HeaderValue>) -> Vec<Encoding> {
        let offered = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut accepted = Vec::new();
        for choice in offered.split(',') {
            let (name, quality) = choice.split_once(';').unwrap_or((choice, ""));
            let is_refused = quality
                .trim()
                .strip_prefix("q=")
                .is_some_and(|value| value.trim().parse::<f32>().is_ok_and(|value| value <= 0.0));
            if is_refused {
                continue;
            }
            match name.trim() {
                name if name.eq_ignore_ascii_case("br") => accepted.push(Encoding::Brotli),
                name if name.eq_ignore_ascii_case("gzip") => accepted.push(Encoding::Gzip),
                _ => {}
            }
        }
        accepted
    }

    /// Its name in `Content-Encoding`; identity has none.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Encoding::Brotli => Some("br"),
            Encoding::Gzip => Some("gzip"),
            Encoding::Plain => None,
        }
    }
}

/// Middleware: compresses large responses that are not compressed yet.
pub async fn compress<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<Encoder<B>>, actix_web::Error> {
    let header = request.headers().get(ACCEPT_ENCODING);
    let (small, large) = (Encoding::accepted(header), Encoding::accepted_for_large(header));
    let response = next.call(request).await?;
    Ok(response.map_body(|head, body| {
        let encoding = match body.size() {
            size if !is_worth_it(head, size) => Encoding::Plain,
            BodySize::Sized(0..LARGE_BYTES) => small,
            _ => large,
        };
        let encoding = match encoding {
            Encoding::Brotli => ContentEncoding::Brotli,
            Encoding::Gzip => ContentEncoding::Gzip,
            Encoding::Plain => ContentEncoding::Identity,
        };
        // actix skips responses that already have a Content-Encoding.
        Encoder::response(encoding, head, body)
    }))
}

fn is_worth_it(head: &ResponseHead, size: BodySize) -> bool {
    let is_large = !matches!(size, BodySize::None | BodySize::Sized(0..LEAST_BYTES));
    // A compressed stream would be buffered until its end.
    const AS_THEY_ARE: [&[u8]; 5] =
        [b"application/pdf", b"application/x-ndjson", b"image/png", b"image/jpeg", b"image/webp"];
    is_large && !head.headers().get(CONTENT_TYPE).is_some_and(|kind| AS_THEY_ARE.contains(&kind.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_accepted_encoding_is_chosen() {
        for (offered, taken) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip, deflate", Encoding::Gzip),
            ("br;q=0, gzip;q=0.5", Encoding::Gzip),
            ("BR ; q=0.1", Encoding::Brotli),
            ("br; q=0.000, gzip; q=0", Encoding::Plain),
            ("deflate, zstd", Encoding::Plain),
            ("", Encoding::Plain),
        ] {
            let header = HeaderValue::from_static(offered);
            assert_eq!(Encoding::accepted(Some(&header)), taken, "{offered}");
            let is_gzip = offered.contains("gzip") && !offered.contains("gzip; q=0");
            let for_large = if is_gzip { Encoding::Gzip } else { Encoding::Plain };
            assert_eq!(Encoding::accepted_for_large(Some(&header)), for_large, "{offered}");
        }
        assert_eq!(Encoding::accepted(None), Encoding::Plain);
    }
}
