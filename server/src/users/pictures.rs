//! Uploaded pictures: decoded within limits, and re-encoded.
use crate::error::AppError;
use image::imageops::overlay;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbaImage};
use postern_core::avatar::{
    AVATAR_MAX_SIDE, AVATAR_SIDE, PictureKind, check_dimensions, picture_kind_of_file, unreadable_picture,
};
use std::io::Cursor;

/// Maximum memory for decoding: the largest picture with 32 bits per pixel.
const DECODED_BYTES: u64 = AVATAR_MAX_SIDE as u64 * AVATAR_MAX_SIDE as u64 * 4;

/// The picture as a square PNG. Only the pixels are kept: metadata and any other content of the file are dropped.
pub fn encoded(file: &[u8]) -> Result<Vec<u8>, AppError> {
    let format = match picture_kind_of_file(file)? {
        PictureKind::Png => ImageFormat::Png,
        PictureKind::Jpeg => ImageFormat::Jpeg,
        PictureKind::Webp => ImageFormat::WebP,
    };
    let picture = decoded(file, format)?;
    let picture = match picture.width() > AVATAR_SIDE || picture.height() > AVATAR_SIDE {
        true => picture.thumbnail(AVATAR_SIDE, AVATAR_SIDE),
        false => picture,
    };
    let picture = picture.to_rgba8();
    let mut square = RgbaImage::new(AVATAR_SIDE, AVATAR_SIDE);
    let margin = |side: u32| i64::from((AVATAR_SIDE - side.min(AVATAR_SIDE)) / 2);
    overlay(&mut square, &picture, margin(picture.width()), margin(picture.height()));
    let mut png = Vec::new();
    let written = square.write_to(&mut Cursor::new(&mut png), ImageFormat::Png);
    written.map_err(|error| AppError::Internal(error.into()))?;
    Ok(png)
}

/// Checks the size in the header before allocating memory for the pixels.
fn decoded(file: &[u8], format: ImageFormat) -> Result<DynamicImage, AppError> {
    let unreadable = |_: image::ImageError| AppError::from(unreadable_picture());
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODED_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    check_dimensions(width, height)?;
    if decoder.total_bytes() > DECODED_BYTES {
        return Err(unreadable_picture().into());
    }
    // Without readable orientation metadata, the picture is shown as it is.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}
