//! The seller's look: the logo, pages of the server, and the fonts of PDFs.
pub mod fonts;
pub mod logo;
pub mod pages;
