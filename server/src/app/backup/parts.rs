//! What writing and restoring a backup share: the names of its parts, its draft, and how its file is opened.
use crate::app::backup::archive::Manifest;
use crate::app::backup::lock::Unlocking;
use crate::files::make_folder;
use crate::security::random;
use anyhow::{Context, ensure};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

pub const SQLITE: &str = "database.sqlite.gz";
pub const POSTGRES: &str = "database.dump";
pub const KEY: &str = "secret.key";
pub const SETTINGS: &str = "settings.env";
pub const LOGO: &str = "logo";

/// What a backup has, in words.
pub fn told(manifest: &Manifest, bytes: u64) -> String {
    let rows = |table: &str| manifest.rows.get(table).copied().unwrap_or_default();
    format!(
        "{:.1} MB, {} as of {} UTC with {} accounts, {} orders, {} ledger entries and {} nodes",
        bytes as f64 / 1_000_000.0,
        manifest.database.as_str(),
        manifest.taken_at,
        rows("accounts"),
        rows("orders"),
        rows("ledger_entries"),
        rows("nodes")
    )
}

/// A folder beside the backup, for its parts; deleted in the end, whatever happens.
pub struct Draft(pub PathBuf);

impl Draft {
    pub fn beside(path: &Path) -> anyhow::Result<Draft> {
        let mut name = path.file_name().context("the backup has no name")?.to_owned();
        name.push(format!(".{}", hex::encode(random::<4>())));
        let folder = path.with_file_name(name);
        make_folder(&folder)?;
        Ok(Draft(folder))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(folder = %self.0.display(), %error, "a folder could not be deleted");
        }
    }
}

/// The passphrase of a file: its first line.
pub fn passphrase(file: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let line = text.lines().next().unwrap_or_default().trim();
    ensure!(line.chars().count() >= 12, "the passphrase in {} has less than 12 characters", file.display());
    Ok(line.to_owned())
}

/// Opens a backup, which may be encrypted.
pub fn open(path: &Path, passphrase: Option<&str>) -> anyhow::Result<Unlocking<impl Read + use<>>> {
    let file = File::open(path).with_context(|| format!("opening {}", path.display()))?;
    Unlocking::begin(BufReader::new(file), passphrase)
}
