//! Where the files are that belong to the program: in `share/postern` beside the `bin` of an installed one, otherwise in the repository.
use std::path::{Path, PathBuf};

/// Default folders of what the program serves and prints.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Folders {
    pub web: String,
    pub locales: String,
    pub fonts: String,
}

impl Folders {
    /// Those of the running program.
    pub fn shipped() -> Folders {
        let program = std::env::current_exe().and_then(|path| path.canonicalize()).unwrap_or_default();
        Folders::of_program(&program)
    }

    fn of_program(program: &Path) -> Folders {
        match share_beside(program) {
            Some(share) => {
                let within = |name: &str| share.join(name).to_string_lossy().into_owned();
                Folders { web: within("web"), locales: within("locales"), fonts: within("fonts") }
            }
            None => Folders { web: "frontend/dist".into(), locales: "locales".into(), fonts: "server/fonts".into() },
        }
    }
}

fn share_beside(program: &Path) -> Option<PathBuf> {
    let share = program.parent()?.parent()?.join("share/postern");
    share.join("locales").is_dir().then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_program_finds_its_files_from_everywhere() {
        let root = std::env::temp_dir().join(format!("postern-folders-{}", std::process::id()));
        let program = root.join("bin/postern");
        assert_eq!(Folders::of_program(&program).web, "frontend/dist");
        std::fs::create_dir_all(root.join("share/postern/locales")).expect("a folder");
        let share = root.join("share/postern");
        let found = Folders::of_program(&program);
        assert_eq!((Path::new(&found.web), Path::new(&found.fonts)), (&*share.join("web"), &*share.join("fonts")));
        assert_eq!(Folders::of_program(Path::new("postern")).locales, "locales");
        std::fs::remove_dir_all(&root).expect("removed");
    }
}
