//! Permissions: only the owner can read the shop's files, such as the database and SQLite's files beside it, the key, mails, and the demo's
//! passwords.
use crate::config::Config;
use crate::db::sqlite_path;
use anyhow::Context;
use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// The permission bits of group and others.
const EVERYBODY_ELSE: u32 = 0o077;

/// The sticky bit: world-writable folders that have it, such as `/tmp`, belong to the system.
const STICKY: u32 = 0o1000;

/// Sets the umask: files that this process creates from now on are the owner's only.
pub fn set_owner_umask() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(EVERYBODY_ELSE));
}

/// Creates the shop's folder and an empty database if missing, and tightens permissions left open by an earlier version.
pub fn prepare(config: &Config) -> anyhow::Result<()> {
    make_folder(&config.var_dir)?;
    tighten(&config.var_dir);
    let files = ["secret.key", "demo-accounts.json", "demo-residential.secret", "demo-static.secret"];
    let mut kept: Vec<PathBuf> = files.iter().map(|name| config.var_dir.join(name)).collect();
    if let Some(path) = sqlite_path(&config.database_url) {
        make_database(Path::new(path))?;
        // SQLite's files beside the database inherit its permissions.
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

/// Creates a folder and its parents if missing.
pub fn make_folder(path: &Path) -> anyhow::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER)
        .create(path)
        .with_context(|| format!("creating the folder {}", path.display()))
}

/// Creates an empty file, which SQLite takes for an empty database.
fn make_database(path: &Path) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(FILE).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(error).with_context(|| format!("creating the database {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Removes the permissions of others. A failure is only logged: the file may belong to another user.
fn tighten(path: &Path) {
    let Ok(metadata) = std::fs::metadata(path) else { return };
    let mode = metadata.permissions().mode();
    if mode & EVERYBODY_ELSE == 0 || mode & STICKY != 0 {
        return;
    }
    let wanted = if metadata.is_dir() { FOLDER } else { FILE };
    match std::fs::set_permissions(path, Permissions::from_mode(wanted)) {
        Ok(()) => tracing::info!(path = %path.display(), "was accessible to other users: removed their permissions"),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "is accessible to other users, and their permissions could not be removed");
        }
    }
}
