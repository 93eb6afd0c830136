//! The command `postern backup`: gathers the parts of a backup, writes them into one file, and reads it back.
use crate::app::backup::archive::{self, Kind, Manifest, check_seal};
use crate::app::backup::copies::copy_database;
use crate::app::backup::lock::Locking;
use crate::app::backup::parts::{Draft, KEY, LOGO, POSTGRES, SETTINGS, SQLITE, open, passphrase, told};
use crate::app::init::settings_file;
use crate::clock::Clock;
use crate::config::{Config, VARIABLES};
use crate::db::{Database, Schema, open_unchanged, schema_of, sqlite_path};
use crate::security::{SecretKey, write_private};
use crate::settings::secret_key;
use crate::system::backups::{self, Written};
use anyhow::{Context, ensure};
use chrono::NaiveDateTime;
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use postern_core::time::to_wire;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How files are named in a folder of backups: `postern-20260504-093000.tar`, with `.locked` if they are encrypted.
const PREFIX: &str = "postern-";
const ENDS: [&str; 2] = [".tar", ".tar.locked"];

#[derive(Args)]
pub struct BackupArguments {
    /// The new file, or a folder, in which it is named by the time
    file: PathBuf,
    /// Encrypt with the passphrase in the first line of this file
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// In a folder: delete the oldest backups beyond this many
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// The folder of pg_dump and pg_restore; by default they are searched in PATH
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
}

/// Writes a backup, reads it back, and returns what to say.
pub fn backup(config: &Config, arguments: &BackupArguments) -> anyhow::Result<Vec<String>> {
    let passphrase = arguments.passphrase_file.as_deref().map(passphrase).transpose()?;
    let began_at = Clock::default().now();
    let begin = std::time::Instant::now();
    let is_folder = arguments.file.is_dir();
    ensure!(is_folder || arguments.keep.is_none(), "--keep is for a folder of backups");
    let path = if is_folder {
        let end = ENDS[usize::from(passphrase.is_some())];
        arguments.file.join(format!("{PREFIX}{}{end}", began_at.format("%Y%m%d-%H%M%S")))
    } else {
        arguments.file.clone()
    };
    ensure!(!path.exists(), "{} exists already", path.display());
    let draft = Draft::beside(&path)?;
    let manifest = gather(config, &draft.0, arguments.programs.as_deref(), began_at)?;
    let archive = draft.0.join("archive");
    write_archive(&archive, &manifest, &draft.0, passphrase.as_deref())?;
    check_seal(open(&archive, passphrase.as_deref())?).context("reading the backup back")?;
    let bytes = std::fs::metadata(&archive)?.len();
    ensure!(!path.exists(), "{} came meanwhile", path.display());
    std::fs::rename(&archive, &path).with_context(|| format!("writing {}", path.display()))?;
    if let Some(folder) = path.parent() {
        File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?.sync_all()?;
    }
    drop(draft);
    let written = Written {
        began_at,
        took_ms: i64::try_from(begin.elapsed().as_millis())?,
        bytes: i64::try_from(bytes)?,
        is_encrypted: passphrase.is_some(),
        file_name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let mut said = vec![format!("{} was written and read back: {}.", path.display(), told(&manifest, bytes))];
    if !is_noted(config, &written)? {
        said.push("The database was not told of it, as its schema is another one than this version's.".to_owned());
    }
    if let Some(keep) = arguments.keep {
        said.extend(delete_oldest(&arguments.file, keep as usize)?);
    }
    Ok(said)
}

/// Gathers all parts in a folder.
fn gather(config: &Config, folder: &Path, programs: Option<&Path>, now: NaiveDateTime) -> anyhow::Result<Manifest> {
    let kind = if sqlite_path(&config.database_url).is_some() { Kind::Sqlite } else { Kind::Postgres };
    let mut manifest = Manifest::new(kind, to_wire(now));
    let contents = match kind {
        Kind::Postgres => copy_database(&config.database_url, &folder.join(POSTGRES), programs)?,
        Kind::Sqlite => {
            let copy = folder.join("database.sqlite");
            let contents = copy_database(&config.database_url, &copy, None)?;
            compress(&copy, &folder.join(SQLITE))?;
            std::fs::remove_file(copy)?;
            contents
        }
    };
    (manifest.rows, manifest.migrations) = (contents.rows, contents.migrations);
    let variables: HashMap<String, String> = std::env::vars().collect();
    if let Some(key) = key_of(config)? {
        write_private(&folder.join(KEY), &key.written())?;
    }
    let is_set = |name: &&(&str, &str)| {
        variables.get(name.0).is_some_and(|value| settings_file::refusal(name.0, value).is_none())
    };
    let set = VARIABLES.iter().filter(is_set).map(|(name, _)| ((*name).to_owned(), variables[*name].clone()));
    write_private(&folder.join(SETTINGS), &settings_file::text(&set.collect()))?;
    if let Some(logo) = &config.logo_file {
        std::fs::copy(logo, folder.join(LOGO)).with_context(|| format!("copying {}", logo.display()))?;
    }
    for name in [SQLITE, POSTGRES, KEY, SETTINGS, LOGO] {
        manifest.add(folder, name)?;
    }
    Ok(manifest)
}

/// The key of the database. A backup without it, or with another one, would restore a shop whose passwords nobody can read.
fn key_of(config: &Config) -> anyhow::Result<Option<SecretKey>> {
    let key = secret_key::given(config)?;
    let mut conn = open_unchanged(&config.database_url).map_err(|cause| anyhow::anyhow!(cause))?;
    let fits = secret_key::given_fits(&mut conn, key.as_ref()).map_err(|error| anyhow::anyhow!("{error}"))?;
    ensure!(
        fits != Some(false),
        "the secret key of the database is missing, or another one: see `postern doctor`; nothing was backed up"
    );
    Ok(key)
}

fn compress(from: &Path, to: &Path) -> anyhow::Result<()> {
    let mut out = GzEncoder::new(BufWriter::new(File::create(to)?), Compression::fast());
    std::io::copy(&mut BufReader::new(File::open(from)?), &mut out)?;
    out.finish()?.flush()?;
    Ok(())
}

fn write_archive(path: &Path, manifest: &Manifest, folder: &Path, passphrase: Option<&str>) -> anyhow::Result<()> {
    let out = BufWriter::new(File::create(path)?);
    let mut out = match passphrase {
        None => archive::write(out, manifest, folder)?,
        Some(passphrase) => archive::write(Locking::begin(out, passphrase)?, manifest, folder)?.finish()?,
    };
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok(())
}

/// Notes the backup in the database, for operators; false if its schema is not that of this version.
fn is_noted(config: &Config, written: &Written) -> anyhow::Result<bool> {
    let mut conn = open_unchanged(&config.database_url).map_err(|cause| anyhow::anyhow!(cause))?;
    let schema = schema_of(&mut conn).map_err(|error| anyhow::anyhow!("{error}"))?;
    drop(conn);
    if !matches!(schema, Schema::Current(_)) {
        return Ok(false);
    }
    let db = Database::open(&config.database_url, 1)?;
    db.write_blocking(|conn| backups::record(conn, written)).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(true)
}

/// Deletes the oldest backups of a folder, by their names. Other files are left alone.
fn delete_oldest(folder: &Path, keep: usize) -> anyhow::Result<Vec<String>> {
    let mut names: Vec<String> = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| is_backup(name))
        .collect();
    names.sort_unstable_by(|one, other| other.cmp(one));
    let old = names.split_off(keep.min(names.len()));
    old.into_iter()
        .map(|name| {
            std::fs::remove_file(folder.join(&name)).with_context(|| format!("deleting {name}"))?;
            Ok(format!("{name} was deleted."))
        })
        .collect()
}

fn is_backup(name: &str) -> bool {
    let time = name.strip_prefix(PREFIX).and_then(|rest| ENDS.iter().find_map(|end| rest.strip_suffix(end)));
    time.is_some_and(|time| NaiveDateTime::parse_from_str(time, "%Y%m%d-%H%M%S").is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_with_the_name_of_a_backup_are_deleted() {
        for (name, is) in [
            ("postern-20260504-093000.tar", true),
            ("postern-20260504-093000.tar.locked", true),
            ("postern-20260504-093000.tar.gz", false),
            ("postern-2026.tar", false),
            ("postern.db", false),
            ("before-postern-20260504-093000.tar", false),
        ] {
            assert_eq!(is_backup(name), is, "{name}");
        }
        let folder = std::env::temp_dir().join(format!("postern-kept-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let names =
            ["postern-20260502-000000.tar", "postern-20260503-000000.tar.locked", "postern-20260501-000000.tar"];
        for name in names.iter().chain(&["notes.txt"]) {
            std::fs::write(folder.join(name), "x").expect("a file");
        }
        assert_eq!(delete_oldest(&folder, 2).expect("a deletion"), ["postern-20260501-000000.tar was deleted."]);
        assert_eq!(delete_oldest(&folder, 9).expect("nothing"), Vec::<String>::new());
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 3);
        std::fs::remove_dir_all(folder).expect("gone");
    }
}
