//! What the shop keeps on disk is for its owner alone: the database and what SQLite writes beside it, the key, mails, the passwords of the
//! demo. Other users of the machine read none of it.
use crate::config::Config;
use crate::db::sqlite_path;
use anyhow::Context;
use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// Group and others.
const EVERYBODY_ELSE: u32 = 0o077;

/// A folder in which everybody may write and each only removes what is theirs, as `/tmp`: it belongs to the system.
const STICKY: u32 = 0o1000;

/// Whatever this process writes from now on, nobody else may read.
pub fn write_for_the_owner_alone() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(EVERYBODY_ELSE));
}

/// Makes the shop's folder and an empty database where there are none yet, and closes what an earlier version left open to others.
pub fn prepare(config: &Config) -> anyhow::Result<()> {
    make_folder(&config.var_dir)?;
    tighten(&config.var_dir);
    let mut kept = vec![config.var_dir.join("secret.key"), config.var_dir.join("demo-accounts.json")];
    if let Some(path) = sqlite_path(&config.database_url) {
        make_database(Path::new(path))?;
        // SQLite gives what it writes beside the database the database's own permissions.
        kept.extend(["", "-wal", "-shm", "-journal"].map(|end| PathBuf::from(format!("{path}{end}"))));
    }
    let mails = config.var_dir.join("mail");
    if let Ok(entries) = std::fs::read_dir(&mails) {
        kept.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        kept.push(mails);
    }
    kept.iter().for_each(|path| tighten(path));
    Ok(())
}

/// Makes a folder, and those above it, where there is none yet.
pub fn make_folder(path: &Path) -> anyhow::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER)
        .create(path)
        .with_context(|| format!("making the folder {}", path.display()))
}

/// An empty file is an empty database.
fn make_database(path: &Path) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(FILE).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(error).with_context(|| format!("making the database {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Takes from others what is the owner's. What cannot be closed is in the log: the file may belong to somebody else.
fn tighten(path: &Path) {
    let Ok(metadata) = std::fs::metadata(path) else { return };
    let mode = metadata.permissions().mode();
    if mode & EVERYBODY_ELSE == 0 || mode & STICKY != 0 {
        return;
    }
    let wanted = if metadata.is_dir() { FOLDER } else { FILE };
    match std::fs::set_permissions(path, Permissions::from_mode(wanted)) {
        Ok(()) => tracing::info!(path = %path.display(), "was open to other users of this machine: closed"),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "is open to other users of this machine and could not be closed");
        }
    }
}
