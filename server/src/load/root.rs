//! The folder that a run is about.

use std::path::{Component, Path, PathBuf};

/// The paths of a command line and the folder that all of them lie in.
pub(super) struct Roots {
    /// The folder; `.` where the tool was started.
    pub(super) root: PathBuf,
    /// The paths without needless `.` in them; each begins with the root unless that is `.`.
    pub(super) paths: Vec<PathBuf>,
}

impl Roots {
    /// Finds the innermost folder of `paths`, in the spelling in which they are given if that is possible.
    pub(super) fn new(paths: &[PathBuf]) -> Roots {
        let mut paths: Vec<PathBuf> = paths.iter().map(|it| tidy(it)).collect();
        let mut bases: Vec<PathBuf> = paths.iter().map(|it| folder(it)).collect();
        let mut root = common(&bases);
        if !is_root_of_all(&root, &bases) {
            // As in `../a b` or `/a b`: only the real places tell.
            paths = paths.iter().map(|it| real(it)).collect();
            bases = paths.iter().map(|it| folder(it)).collect();
            root = common(&bases);
        }
        if root.as_os_str().is_empty() {
            root.push(".");
        }
        Roots { root, paths }
    }
}

/// The place of `path` without links, or the next best thing if there is no such place.
pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// A path without needless `.` in it.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let res: PathBuf = path.components().filter(|it| *it != Component::CurDir).collect();
    if res.as_os_str().is_empty() { PathBuf::from(".") } else { res }
}

fn folder(path: &Path) -> PathBuf {
    if path == Path::new(".") {
        PathBuf::new()
    } else if path.is_dir() {
        path.to_owned()
    } else {
        path.parent().unwrap_or(path).to_owned()
    }
}

fn common(bases: &[PathBuf]) -> PathBuf {
    let Some((first, others)) = bases.split_first() else { return PathBuf::new() };
    let n_common = |other: &PathBuf| first.components().zip(other.components()).take_while(|(left, right)| left == right).count();
    let len = others.iter().map(n_common).min().unwrap_or(usize::MAX);
    first.components().take(len).collect()
}

fn is_root_of_all(root: &Path, bases: &[PathBuf]) -> bool {
    let is_relative = bases.iter().all(|it| it.is_relative());
    let stays_below = |base: &PathBuf| base.strip_prefix(root).is_ok_and(|it| !it.components().any(|part| part == Component::ParentDir));
    (is_relative || bases.iter().all(|it| it.is_absolute())) && (bases.len() == 1 || bases.iter().all(stays_below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(paths: &[&str]) -> String {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        Roots::new(&paths).root.display().to_string()
    }

    #[test]
    fn roots() {
        // Tests run in `server/`.
        assert_eq!(root(&["."]), ".");
        assert_eq!(root(&["./src/"]), "src");
        assert_eq!(root(&["src/load.rs"]), "src");
        assert_eq!(root(&["Cargo.toml"]), ".");
        assert_eq!(root(&["src/load", "src/report"]), "src");
        assert_eq!(root(&["src", "Cargo.toml"]), ".");
        assert_eq!(root(&["../tests/src", "../tests/tests"]), "../tests");
        assert_eq!(root(&["../tests"]), "../tests");
        assert_eq!(root(&["src", "src/load"]), "src");
        let above = real(Path::new("..")).display().to_string();
        assert_eq!(root(&["src", "../tests"]), above);
    }
}
