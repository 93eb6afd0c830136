//! Maps paths to files: the built front end, texts of one or several namespaces, or the page of a screen.
use crate::brand::logo::Logo;
use crate::config::Config;
use crate::security::sha256;
use crate::web::brand::with_brand;
use crate::web::cached::CachedFile;
use anyhow::Context;
use postern_core::screens::is_screen;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, RwLock};

const PAGE: &str = "/index.html";
/// The path of the API reference's document.
pub const DOCUMENT: &str = "/api/openapi.json";
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const FOR_A_DAY: &str = "public, max-age=86400";
const REVALIDATE: &str = "no-cache";

/// First parts of paths that are never a screen: of files, of the server's own routes, and what monitoring asks every server for.
const NEVER_SCREENS: &[&str] = &[
    "api",
    "assets",
    "brand",
    "demo",
    "docs",
    "flags",
    "gateway",
    "health",
    "lists",
    "locales",
    "metrics",
    "pay",
    "proxy-server",
    "sandbox",
];

/// The documentation: pages that are served as they were built, the same for every shop.
const DOCS: &str = "/docs";

/// Maximum cached combinations of namespaces: the front end requests a handful.
const MOST_SETS: usize = 64;

/// All that is served without the database, read at start-up. Paths are only looked up, never opened, so path traversal is impossible.
pub struct Site {
    files: HashMap<String, Arc<CachedFile>>,
    /// Pages prerendered for one screen, by the screen's path; all other screens share one page.
    pages: HashMap<String, Arc<CachedFile>>,
    /// A hash of all texts. It is in the addresses that pages load, so that texts which the operator has changed are loaded anew.
    texts_version: String,
    /// By request path.
    sets_of_texts: RwLock<HashMap<String, Arc<CachedFile>>>,
}

pub struct Found {
    pub file: Arc<CachedFile>,
    pub cache_control: &'static str,
    /// Whether it is what is at the path, or the page that says that there is nothing.
    pub is_there: bool,
}

impl Site {
    /// With the API's document, which is served like a file.
    pub fn read(config: &Config, logo: Option<&Logo>, document: Arc<CachedFile>) -> anyhow::Result<Site> {
        let mut files = HashMap::from([(DOCUMENT.to_owned(), document)]);
        read_folder(&config.web_dir, "", &mut files)?;
        read_folder(&config.locales_dir, "/locales", &mut files)?;
        let texts_version = texts_version(&files);
        let mut pages = HashMap::new();
        for (path, page) in files.extract_if(|path, _| path.ends_with(".html") && !is_of_a_file(path)) {
            let page = Arc::new(with_brand(&page, config, logo, &texts_version));
            pages.insert(path.trim_end_matches(".html").to_owned(), page);
        }
        if let Some(page) = pages.remove("/index") {
            files.insert(PAGE.to_owned(), page);
        }
        if let Some(Logo { path, extension, bytes, .. }) = logo {
            files.insert(path.clone(), Arc::new(CachedFile::new(extension, bytes.clone())));
        }
        Ok(Site { files, pages, texts_version, sets_of_texts: RwLock::default() })
    }

    /// What a path is answered with. Without a file or a screen there, a browser gets the app, which says so; so does anybody below one of the
    /// app's entries.
    pub fn find(&self, path: &str, query: &str, is_for_a_browser: bool) -> Option<Found> {
        let found = |file: &Arc<CachedFile>, cache_control| Found { file: file.clone(), cache_control, is_there: true };
        if let Some(texts) = path.strip_prefix("/locales/") {
            let file = self.files.get(path).cloned().or_else(|| self.set_of_texts(path, texts))?;
            // Those of this version are immutable; others, as of a page that another version of the server has sent, are revalidated.
            let is_versioned = query.strip_prefix("v=").is_some_and(|version| version == self.texts_version);
            return Some(found(&file, if is_versioned { IMMUTABLE } else { REVALIDATE }));
        }
        if is_of_docs(path) {
            return self.page_of_docs(path, is_for_a_browser);
        }
        match self.files.get(path) {
            // The names of assets and of the logo contain a hash of their content.
            Some(file) if path.starts_with("/assets/") || path.starts_with("/brand/") => Some(found(file, IMMUTABLE)),
            Some(file) if path != PAGE && path != DOCUMENT => Some(found(file, FOR_A_DAY)),
            Some(file) => Some(found(file, REVALIDATE)),
            None if is_screen(path) => Some(found(self.pages.get(path).or_else(|| self.files.get(PAGE))?, REVALIDATE)),
            None => {
                let first = path.split('/').nth(1).unwrap_or_default();
                let can_be_a_screen = !NEVER_SCREENS.contains(&first) && !path.contains("/.");
                let is_of_the_app = is_for_a_browser || (!first.is_empty() && is_screen(&format!("/{first}")));
                let page = self.files.get(PAGE).filter(|_| can_be_a_screen && is_of_the_app)?;
                Some(Found { is_there: false, ..found(page, REVALIDATE) })
            }
        }
    }

    /// A page is a file with the ending `.html`, and that of a folder is its `index.html`. Without one there, a browser gets a page that says so.
    fn page_of_docs(&self, path: &str, is_for_a_browser: bool) -> Option<Found> {
        let names = [path.to_owned(), format!("{path}.html"), format!("{}/index.html", path.trim_end_matches('/'))];
        if let Some(file) = names.iter().find_map(|name| self.files.get(name)) {
            let is_immutable = path.starts_with("/docs/assets/");
            let cache_control = if is_immutable { IMMUTABLE } else { REVALIDATE };
            return Some(Found { file: file.clone(), cache_control, is_there: true });
        }
        let missing = self.files.get("/docs/404.html").filter(|_| is_for_a_browser)?;
        Some(Found { file: missing.clone(), cache_control: REVALIDATE, is_there: false })
    }

    /// The message for a path at which there is nothing.
    pub fn not_found_message(&self, path: &str) -> &'static str {
        if is_screen(path) {
            "The front end is not built: run `make run`."
        } else {
            "There is nothing at this address."
        }
    }

    /// Texts of several namespaces, such as `common+auth.json`, as one object with a member for each.
    fn set_of_texts(&self, path: &str, texts: &str) -> Option<Arc<CachedFile>> {
        if let Some(set) = self.sets_of_texts.read().ok()?.get(path) {
            return Some(set.clone());
        }
        let (language, names) = texts.strip_suffix(".json")?.split_once('/')?;
        let names: Vec<&str> = names.split('+').collect();
        let mut joined = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let file = self.files.get(&format!("/locales/{language}/{name}.json"))?;
            if names[..index].contains(name) {
                return None;
            }
            joined.extend_from_slice(if index == 0 { b"{\"" } else { b",\"" });
            joined.extend_from_slice(name.as_bytes());
            joined.extend_from_slice(b"\":");
            joined.extend_from_slice(&file.bytes());
        }
        joined.push(b'}');
        if self.sets_of_texts.read().ok()?.len() >= MOST_SETS {
            return Some(Arc::new(CachedFile::plain("json", joined)));
        }
        let set = Arc::new(CachedFile::new("json", joined));
        self.sets_of_texts.write().ok()?.insert(path.to_owned(), set.clone());
        Some(set)
    }
}

fn texts_version(files: &HashMap<String, Arc<CachedFile>>) -> String {
    let texts: BTreeMap<_, _> = files.iter().filter(|(path, _)| path.starts_with("/locales/")).collect();
    let hashes: String = texts.iter().map(|(path, file)| format!("{path} {}\n", file.hash())).collect();
    sha256(hashes)[..16].to_owned()
}

fn is_of_docs(path: &str) -> bool {
    path.strip_prefix(DOCS).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_of_a_file(path: &str) -> bool {
    ["/assets/", "/brand/", "/docs/", "/flags/", "/locales/"].iter().any(|folder| path.starts_with(folder))
}

/// Reads a folder recursively; a missing folder has no files.
fn read_folder(folder: &Path, at: &str, files: &mut HashMap<String, Arc<CachedFile>>) -> anyhow::Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            read_folder(&path, &format!("{at}/{name}"), files)?;
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if extension == "br" {
            continue;
        }
        let (bytes, compressed) = (read(&path)?, path.with_file_name(format!("{name}.br")));
        let file = if compressed.is_file() {
            let file = CachedFile::of_build(extension, &bytes, read(&compressed)?);
            file.with_context(|| format!("{}: build the front end again", compressed.display()))?
        } else {
            CachedFile::new(extension, bytes)
        };
        files.insert(format!("{at}/{name}"), Arc::new(file));
    }
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("reading {}", path.display()))
}
