//! Files and folders: what the server must read and write, who else may read it, and how much room is left.
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::config::Config;
use crate::db::sqlite_path;
use crate::doctor::finding::Finding;
use crate::locations::Locations;
use crate::settings::secret_key;
use crate::texts::Texts;
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};
use rustix::fs::{Access, access, statvfs};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const MEBIBYTE: u64 = 1024 * 1024;
const FULL_SOON: u64 = 1024 * MEBIBYTE;
const FULL: u64 = 100 * MEBIBYTE;

pub fn checks(config: &Config) -> Vec<Finding> {
    let checks = [data_folder, disk_space, private_files, front_end, texts, fonts, logo, locations];
    checks.iter().flat_map(|check| check(config)).collect()
}

/// The shop's folder.
fn data_folder(config: &Config) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::DataFolder;
    let folder = config.var_dir.as_path();
    let shown = folder.display();
    if !folder.is_dir() {
        return vec![Finding::fault(CHECK, Diagnosis::FolderMissing).with("Folder", shown)];
    }
    let mut found = Vec::new();
    if let Err(error) = access(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK) {
        found.push(Finding::fault(CHECK, Diagnosis::FolderReadOnly).with("Folder", &shown).with("Cause", error));
    }
    if is_open_to_others(folder) {
        found.push(Finding::warning(CHECK, Diagnosis::FolderOpen).with("Folder", &shown));
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, Diagnosis::FolderFine).with("Folder", shown));
    }
    found
}

/// Whether the group or others have any right.
fn is_open_to_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

/// The key and the database, which nobody else may read.
fn private_files(config: &Config) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::PrivateFiles;
    let database = sqlite_path(&config.database_url).map(Into::into);
    let files = [Some(secret_key::file(config)), database];
    let files = files.into_iter().flatten().filter(|path| path.is_file());
    let open = files.filter(|path| is_open_to_others(path));
    let mut found: Vec<Finding> =
        open.map(|path| Finding::fault(CHECK, Diagnosis::FileOpen).with("File", path.display())).collect();
    if found.is_empty() {
        found.push(Finding::ok(CHECK, Diagnosis::FilesPrivate));
    }
    found
}

fn disk_space(config: &Config) -> Vec<Finding> {
    // A missing folder is a fault of its own.
    let Ok(disk) = statvfs(config.var_dir.as_path()) else { return Vec::new() };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let found = Finding::of(severity_of_space(free), ShopCheck::DiskSpace, Diagnosis::DiskSpaceLeft);
    vec![found.with("Mebibytes", free / MEBIBYTE)]
}

fn severity_of_space(free_bytes: u64) -> Severity {
    match free_bytes {
        ..FULL => Severity::Fault,
        FULL..FULL_SOON => Severity::Warning,
        _ => Severity::Ok,
    }
}

fn front_end(config: &Config) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::FrontEnd;
    let found = match config.web_dir.join("index.html").is_file() {
        true => Finding::ok(CHECK, Diagnosis::FrontEndFound),
        false => Finding::fault(CHECK, Diagnosis::FrontEndMissing),
    };
    vec![found.with("Folder", config.web_dir.display())]
}

fn opened<T>(check: ShopCheck, result: anyhow::Result<T>, unreadable: Diagnosis) -> Vec<Finding> {
    vec![match result {
        Ok(_) => Finding::ok(check, Diagnosis::FileRead),
        Err(error) => Finding::fault(check, unreadable).with("Cause", format!("{error:#}")),
    }]
}

fn texts(config: &Config) -> Vec<Finding> {
    opened(ShopCheck::Texts, Texts::load(&config.locales_dir), Diagnosis::TextsUnreadable)
}

fn fonts(config: &Config) -> Vec<Finding> {
    opened(ShopCheck::Fonts, Fonts::open(&config.fonts_dir), Diagnosis::FontsUnreadable)
}

fn logo(config: &Config) -> Vec<Finding> {
    if config.logo_file.is_none() {
        return Vec::new();
    }
    opened(ShopCheck::Logo, Logo::open(config), Diagnosis::LogoUnreadable)
}

fn locations(config: &Config) -> Vec<Finding> {
    let Some(file) = config.geoip_file.as_deref() else { return Vec::new() };
    opened(ShopCheck::Locations, Locations::open(Some(file)), Diagnosis::LocationsUnreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_space_is_a_warning_and_hardly_any_a_fault() {
        for (free, severity) in [
            (0, Severity::Fault),
            (FULL - 1, Severity::Fault),
            (FULL, Severity::Warning),
            (FULL_SOON - 1, Severity::Warning),
            (FULL_SOON, Severity::Ok),
        ] {
            assert_eq!(severity_of_space(free), severity, "{free}");
        }
    }
}
