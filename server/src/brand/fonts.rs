//! The fonts of PDFs: Noto Sans, a file for each script, beside the program (`scripts/fonts.sh`). A file is read when a text needs it, and shared
//! by the documents that are being printed.
use anyhow::Context;
use parley::fontique::{Blob, Collection, CollectionOptions, FontInfoOverride};
use parley::{FontContext, FontFamily, FontFamilyName};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Latin, Greek, Cyrillic, punctuation: for every document.
const MAIN: &str = "NotoSans";

/// The other files, and the characters for which they are read.
const OTHERS: &[(&str, &[RangeInclusive<char>])] = &[
    ("NotoSansArmenian", &['\u{531}'..='\u{58f}', '\u{fb13}'..='\u{fb17}']),
    ("NotoSansHebrew", &['\u{590}'..='\u{5ff}', '\u{fb1d}'..='\u{fb4f}']),
    (
        "NotoSansArabic",
        &[
            '\u{600}'..='\u{6ff}',
            '\u{750}'..='\u{77f}',
            '\u{870}'..='\u{8ff}',
            '\u{fb50}'..='\u{fdff}',
            '\u{fe70}'..='\u{fefc}',
        ],
    ),
    ("NotoSansDevanagari", &['\u{900}'..='\u{97f}', '\u{a8e0}'..='\u{a8ff}']),
    ("NotoSansBengali", &['\u{980}'..='\u{9ff}']),
    ("NotoSansGurmukhi", &['\u{a00}'..='\u{a7f}']),
    ("NotoSansGujarati", &['\u{a80}'..='\u{aff}']),
    ("NotoSansTamil", &['\u{b80}'..='\u{bff}']),
    ("NotoSansTelugu", &['\u{c00}'..='\u{c7f}']),
    ("NotoSansKannada", &['\u{c80}'..='\u{cff}']),
    ("NotoSansMalayalam", &['\u{d00}'..='\u{d7f}']),
    ("NotoSansSinhala", &['\u{d80}'..='\u{dff}']),
    ("NotoSansThai", &['\u{e00}'..='\u{e7f}']),
    ("NotoSansLao", &['\u{e80}'..='\u{eff}']),
    ("NotoSansMyanmar", &['\u{1000}'..='\u{109f}', '\u{a9e0}'..='\u{a9ff}', '\u{aa60}'..='\u{aa7f}']),
    ("NotoSansGeorgian", &['\u{10a0}'..='\u{10ff}', '\u{1c90}'..='\u{1cbf}', '\u{2d00}'..='\u{2d2f}']),
    ("NotoSansEthiopic", &['\u{1200}'..='\u{139f}', '\u{2d80}'..='\u{2ddf}', '\u{ab00}'..='\u{ab2f}']),
    ("NotoSansKhmer", &['\u{1780}'..='\u{17ff}', '\u{19e0}'..='\u{19ff}']),
    ("NotoSansSC", HAN),
    // The characters that only Hong Kong, Taiwan and Japan use.
    ("NotoSansTC", HAN),
    ("NotoSansJP", HAN),
    (
        "NotoSansKR",
        &['\u{1100}'..='\u{11ff}', '\u{3130}'..='\u{318f}', '\u{a960}'..='\u{a97f}', '\u{ac00}'..='\u{d7ff}'],
    ),
];
const HAN: &[RangeInclusive<char>] = &[
    '\u{2e80}'..='\u{312f}',
    '\u{3190}'..='\u{a4cf}',
    '\u{f900}'..='\u{faff}',
    '\u{fe10}'..='\u{fe4f}',
    '\u{ff00}'..='\u{ffef}',
    '\u{20000}'..='\u{3ffff}',
];

/// The folder with the fonts, and those files that a document is using.
pub struct Fonts {
    folder: PathBuf,
    in_use: Mutex<HashMap<&'static str, Weak<Vec<u8>>>>,
}

impl Fonts {
    /// Refuses a folder that lacks a font.
    pub fn open(folder: &Path) -> anyhow::Result<Fonts> {
        let fonts = Fonts { folder: folder.to_owned(), in_use: Mutex::default() };
        for name in [MAIN].into_iter().chain(OTHERS.iter().map(|(name, _)| *name)) {
            let path = fonts.path(name);
            std::fs::metadata(&path)
                .with_context(|| format!("the fonts of PDFs (POSTERN_FONTS_DIR): {} cannot be read", path.display()))?;
        }
        Ok(fonts)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("ttf")
    }

    /// The bytes of a font.
    fn read(&self, name: &'static str) -> anyhow::Result<Blob<u8>> {
        let mut in_use = self.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = in_use.get(name).and_then(Weak::upgrade) {
            return Ok(Blob::new(bytes));
        }
        let path = self.path(name);
        let bytes = Arc::new(std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?);
        in_use.insert(name, Arc::downgrade(&bytes));
        Ok(Blob::new(bytes))
    }
}

/// The fonts of one document.
pub struct DocumentFonts<'a> {
    fonts: &'a Fonts,
    pub context: FontContext,
    names: Vec<&'static str>,
}

impl DocumentFonts<'_> {
    pub fn new(fonts: &Fonts) -> anyhow::Result<DocumentFonts<'_>> {
        let options = CollectionOptions { system_fonts: false, ..CollectionOptions::default() };
        let context = FontContext { collection: Collection::new(options), ..FontContext::default() };
        let mut document = DocumentFonts { fonts, context, names: Vec::new() };
        document.add(MAIN)?;
        Ok(document)
    }

    fn add(&mut self, name: &'static str) -> anyhow::Result<()> {
        let bytes = self.fonts.read(name)?;
        let named = FontInfoOverride { family_name: Some(name), ..FontInfoOverride::default() };
        self.context.collection.register_fonts(bytes, Some(named));
        self.names.push(name);
        Ok(())
    }

    /// The fonts in which a text is written: each character in the first one that has it.
    pub fn for_text(&mut self, text: &str) -> FontFamily<'static> {
        for (name, scripts) in OTHERS {
            let needs = |character| scripts.iter().any(|script| script.contains(&character));
            if !self.names.contains(name) && text.chars().any(needs) {
                // A document without these characters is better than none.
                self.add(name).unwrap_or_else(|error| tracing::error!(%error, "a font of PDFs"));
            }
        }
        FontFamily::List(self.names.iter().map(|name| FontFamilyName::named(name)).collect())
    }
}
