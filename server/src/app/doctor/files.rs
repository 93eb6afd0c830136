//! Files and folders: what the server must read and write, who else may read it, and how much room is left.
use crate::app::doctor::finding::{Finding, Severity};
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::config::Config;
use crate::db::sqlite_path;
use crate::locations::Locations;
use crate::settings::secret_key;
use crate::texts::Texts;
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
    const CHECK: &str = "data folder";
    let folder = config.var_dir.as_path();
    let shown = folder.display();
    if !folder.is_dir() {
        let remedy =
            "Set POSTERN_VAR_DIR to the shop's folder. A new shop gets one by `postern init` or `postern migrate`.";
        return vec![Finding::fault(CHECK, format!("{shown} is not a folder"), remedy)];
    }
    let mut found = Vec::new();
    if let Err(error) = access(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK) {
        let remedy =
            format!("Give {shown} (POSTERN_VAR_DIR) to the user that runs the server: `chown -R USER {shown}`.");
        found.push(Finding::fault(CHECK, format!("{shown} cannot be written by this user: {error}"), remedy));
    }
    if is_open_to_others(folder) {
        let remedy = format!("Run `chmod 700 {shown}`; the server does so when it starts, if the folder is its own.");
        found.push(Finding::warning(CHECK, format!("{shown} is open to other users"), remedy));
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, format!("{shown} can be written, by this user only")));
    }
    found
}

/// Whether the group or others have any right.
fn is_open_to_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

/// The key and the database, which nobody else may read.
fn private_files(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "private files";
    let database = sqlite_path(&config.database_url).map(Into::into);
    let files = [Some(secret_key::file(config)), database];
    let files = files.into_iter().flatten().filter(|path| path.is_file());
    let open = files.filter(|path| is_open_to_others(path));
    let mut found: Vec<Finding> = open
        .map(|path| {
            let shown = path.display();
            Finding::fault(CHECK, format!("{shown} can be read by other users"), format!("Run `chmod 600 {shown}`."))
        })
        .collect();
    if found.is_empty() {
        found.push(Finding::ok(CHECK, "the key and the database are for this user only"));
    }
    found
}

fn disk_space(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "disk space";
    // A missing folder is a fault of its own.
    let Ok(disk) = statvfs(config.var_dir.as_path()) else { return Vec::new() };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let remedy = "Free space on the disk of POSTERN_VAR_DIR, or move the folder to a larger one.";
    vec![Finding::of(severity_of_space(free), CHECK, format!("{} MiB are free", free / MEBIBYTE), remedy)]
}

fn severity_of_space(free_bytes: u64) -> Severity {
    match free_bytes {
        ..FULL => Severity::Fault,
        FULL..FULL_SOON => Severity::Warning,
        _ => Severity::Ok,
    }
}

fn front_end(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "front end";
    let folder = config.web_dir.display();
    if config.web_dir.join("index.html").is_file() {
        return vec![Finding::ok(CHECK, format!("is in {folder}"))];
    }
    let remedy = "Run `make build`, or set POSTERN_WEB_DIR to the folder with the built front end.";
    vec![Finding::fault(CHECK, format!("{folder} has no index.html: visitors would see an empty page"), remedy)]
}

fn opened<T>(check: &'static str, result: anyhow::Result<T>, fine: &str, remedy: &str) -> Vec<Finding> {
    match result {
        Ok(_) => vec![Finding::ok(check, fine)],
        Err(error) => vec![Finding::fault(check, format!("{error:#}"), remedy)],
    }
}

fn texts(config: &Config) -> Vec<Finding> {
    let remedy = "Set POSTERN_LOCALES_DIR to the folder `locales` of this version.";
    opened("texts", Texts::load(&config.locales_dir), "can be read", remedy)
}

fn fonts(config: &Config) -> Vec<Finding> {
    let remedy = "Set POSTERN_FONTS_DIR to the folder `server/fonts` of this version: invoices need it.";
    opened("fonts", Fonts::open(&config.fonts_dir), "can be read", remedy)
}

fn logo(config: &Config) -> Vec<Finding> {
    if config.logo_file.is_none() {
        return Vec::new();
    }
    opened("logo", Logo::open(config), "can be read", "Set POSTERN_LOGO_FILE to an SVG or PNG file, or unset it.")
}

fn locations(config: &Config) -> Vec<Finding> {
    let Some(file) = config.geoip_file.as_deref() else { return Vec::new() };
    let remedy = "Set POSTERN_GEOIP_FILE to a .mmdb file, or unset it.";
    opened("locations", Locations::open(Some(file)), "can be read", remedy)
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
