//! The few rules that process megabytes: the profile `wasm` compiles this crate for speed and all others for size. The functions that they
//! call in core are `#[inline]`, so that they are compiled here.
use postern_core::endpoint::{self, EndpointFormat, ListRequest};
use postern_core::field_errors::FieldErrors;
use postern_core::time::Localizer;

/// See [`Localizer::localize_bytes`].
#[inline(never)]
pub fn localize(localizer: &mut Localizer, piece: Vec<u8>) -> Vec<u8> {
    localizer.localize_bytes(piece)
}

/// See [`endpoint::build_list`].
#[inline(never)]
pub fn build_list(request: &ListRequest) -> Result<String, FieldErrors> {
    endpoint::build_list(request)
}

/// See [`endpoint::build_node_list_of_rows`].
#[inline(never)]
pub fn build_node_list_of_rows(
    rows: &str,
    format: EndpointFormat,
    template: Option<&str>,
) -> Result<String, FieldErrors> {
    endpoint::build_node_list_of_rows(rows, format, template)
}
