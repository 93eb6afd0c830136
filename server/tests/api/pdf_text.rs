//! Reads the text of PDFs back, as a reader copies it.
use lopdf::content::Operation;
use lopdf::{Document, Object, decode_text_string};

/// The text of a PDF without blanks, in the order in which it is written: what stands from right to left is backwards, glyph by glyph. Fails on a glyph
/// that stands for a character that its font lacks.
pub struct PdfText {
    pub pages: usize,
    pieces: Vec<String>,
}

impl PdfText {
    pub fn read(file: &[u8]) -> PdfText {
        let document = Document::load_mem(file).expect("a PDF");
        let (mut pieces, pages) = (Vec::new(), document.get_pages());
        for page in pages.values() {
            let fonts = document.get_page_fonts(*page).expect("fonts");
            let mut font = None;
            // What a span of several glyphs stands for, and how deep it is nested.
            let mut spans: Vec<bool> = Vec::new();
            for Operation { operator, operands } in
                document.get_and_decode_page_content(*page).expect("a page").operations
            {
                match operator.as_str() {
                    "Tf" => {
                        let name = operands[0].as_name().expect("a font");
                        font = Some(fonts[name].get_font_encoding(&document).expect("an encoding"));
                    }
                    "BDC" => {
                        let actual = operands[1].as_dict().ok().and_then(|span| span.get(b"ActualText").ok());
                        pieces.extend(actual.map(|text| decode_text_string(text).expect("UTF-16")));
                        spans.push(actual.is_some());
                    }
                    "EMC" => drop(spans.pop()),
                    "TJ" | "Tj" => {
                        for code in operands.iter().flat_map(codes) {
                            assert_ne!(code, [0, 0], "a box after {:?}", pieces.last());
                            if !spans.contains(&true) {
                                let encoding = font.as_ref().expect("a font before a text");
                                pieces.push(Document::decode_text(encoding, &code).expect("a text"));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        pieces.retain(|piece| !piece.trim().is_empty());
        PdfText { pages: pages.len(), pieces }
    }

    /// Whether this word stands there, in either direction.
    pub fn has(&self, word: &str) -> bool {
        let backwards: String = self.pieces.iter().rev().map(String::as_str).collect();
        self.pieces.concat().contains(word) || backwards.contains(word)
    }
}

fn codes(text: &Object) -> Vec<[u8; 2]> {
    match text {
        Object::String(bytes, _) => bytes.chunks_exact(2).map(|code| [code[0], code[1]]).collect(),
        Object::Array(parts) => parts.iter().flat_map(codes).collect(),
        _ => Vec::new(),
    }
}
