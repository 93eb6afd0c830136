//! The command `postern restore`: puts a backup into an empty shop.
use crate::app::backup::archive::{Kind, Manifest, check_seal, unpack};
use crate::app::backup::copies::{occupied, put_back};
use crate::app::backup::parts::{Draft, KEY, LOGO, POSTGRES, SETTINGS, SQLITE, open, passphrase, told};
use crate::config::Config;
use crate::db::{Database, known_migrations, sqlite_path};
use crate::files::make_folder;
use crate::security::{SecretKey, write_private};
use crate::settings::secret_key;
use crate::wallet::verify;
use anyhow::{Context, bail, ensure};
use clap::Args;
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct RestoreArguments {
    /// The backup
    file: PathBuf,
    /// The file with the passphrase of an encrypted backup
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Only read the whole backup and say what it has
    #[arg(long)]
    check: bool,
    /// The folder of pg_restore; by default it is searched in PATH
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
}

/// Restores a backup, and returns what to say. Nothing is changed if the backup is damaged, of a newer version or of another kind of database, or if
/// there is a shop already.
pub fn restore(config: &Config, arguments: &RestoreArguments) -> anyhow::Result<Vec<String>> {
    let passphrase = arguments.passphrase_file.as_deref().map(passphrase).transpose()?;
    let bytes =
        std::fs::metadata(&arguments.file).with_context(|| format!("opening {}", arguments.file.display()))?.len();
    check_seal(open(&arguments.file, passphrase.as_deref())?)?;
    make_folder(&config.var_dir)?;
    let draft = Draft::beside(&config.var_dir.join("restoring"))?;
    let manifest = unpack(open(&arguments.file, passphrase.as_deref())?, &draft.0)?;
    refuse_newer(&manifest)?;
    if arguments.check {
        return Ok(vec![format!("{} is whole: {}.", arguments.file.display(), told(&manifest, bytes))]);
    }
    let kind = if sqlite_path(&config.database_url).is_some() { Kind::Sqlite } else { Kind::Postgres };
    ensure!(
        manifest.database == kind,
        "the backup is of {}, and DATABASE_URL is of {}",
        manifest.database.as_str(),
        kind.as_str()
    );
    if let Some(reason) = occupied(&config.database_url)? {
        bail!("{reason}; a backup is restored into an empty shop");
    }
    let mut said = vec![format!("The backup is whole: {}.", told(&manifest, bytes))];
    // Before the database: with it, the shop is there.
    said.extend(restore_files(config, &draft.0)?);
    let copy = match kind {
        Kind::Postgres => draft.0.join(POSTGRES),
        Kind::Sqlite => expand(&draft.0.join(SQLITE), &draft.0.join("database.sqlite"))?,
    };
    let contents = put_back(&config.database_url, &copy, arguments.programs.as_deref())?;
    // Another version may count other tables.
    let is_there = |(table, rows): (&String, &i64)| contents.rows.get(table) == Some(rows);
    ensure!(
        manifest.rows.iter().all(is_there) && contents.migrations == manifest.migrations,
        "the restored database has other rows than the backup: {:?} instead of {:?}",
        contents.rows,
        manifest.rows
    );
    said.push("The database was restored, with all rows of the backup.".to_owned());
    let db = Database::open(&config.database_url, 1)?;
    if manifest.migrations.len() == known_migrations(kind == Kind::Sqlite)?.len() {
        let books = db.snapshot_blocking(verify::verify).map_err(|error| anyhow::anyhow!("{error}"))?;
        said.extend(books.problems.iter().cloned());
        said.push(match books.problem_count {
            0 => "The ledger adds up.".to_owned(),
            problems => {
                format!("The books have {problems} problems, as they had in the backup: see `postern ledger verify`.")
            }
        });
    } else {
        said.push("It is of an earlier version: `postern migrate` or `postern serve` migrates it.".to_owned());
    }
    said.push("Next: compare the settings, then run `postern doctor` and `postern serve`.".to_owned());
    Ok(said)
}

fn refuse_newer(manifest: &Manifest) -> anyhow::Result<()> {
    let known = known_migrations(manifest.database == Kind::Sqlite)?;
    let newest = manifest.migrations.iter().filter(|migration| !known.contains(migration)).max();
    if let Some(newest) = newest {
        bail!(
            "the backup was written by Postern {} and has the schema {newest}, which this version {} does not know: install that version",
            manifest.version,
            env!("CARGO_PKG_VERSION")
        );
    }
    Ok(())
}

/// The key goes to its place; settings and logo to a folder, for a person to compare.
fn restore_files(config: &Config, folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut said = Vec::new();
    if let Some(key) = SecretKey::load(&folder.join(KEY))? {
        match secret_key::given(config)? {
            Some(given) => ensure!(
                given.written() == key.written(),
                "POSTERN_SECRET_KEY or {} is the key of another shop: unset it, or move it away",
                secret_key::file(config).display()
            ),
            None => {
                let path = secret_key::file(config);
                write_private(&path, &key.written())?;
                said.push(format!("The secret key is in {}.", path.display()));
            }
        }
    }
    let kept = config.var_dir.join("restored");
    for name in [SETTINGS, LOGO] {
        let from = folder.join(name);
        if from.exists() {
            make_folder(&kept)?;
            std::fs::copy(&from, kept.join(name))?;
            said.push(format!("{} of the backup is in {}.", name, kept.join(name).display()));
        }
    }
    Ok(said)
}

fn expand(from: &Path, to: &Path) -> anyhow::Result<PathBuf> {
    let mut out = BufWriter::new(File::create(to)?);
    std::io::copy(&mut GzDecoder::new(BufReader::new(File::open(from)?)), &mut out)?;
    out.flush()?;
    Ok(to.to_owned())
}
