//! What the integration tests share: the binary, temporary trees of Java files, random edits, and a check against a JSON schema.

pub mod edits;
pub mod schema;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs};

/// A class with exactly one mocking point, `Good.now`.
pub const GOOD: &str = "class Good {\n    long now() {\n        return System.currentTimeMillis();\n    }\n}\n";

/// The path of the binary `mockpoint`, which is built if it is not up to date.
///
/// Cargo tells only a package's own tests where its binary is, and `cargo test` builds no binary of another package.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        // <target>/<profile>/deps/<test>
        let test = env::current_exe().expect("a test knows where it is");
        let profile = test.parent().and_then(Path::parent).expect("tests are in deps/");
        let name = profile.file_name().and_then(OsStr::to_str).expect("the folder of the profile has a name");
        let target = profile.parent().expect("the folder of the profile is in the target folder");
        let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--quiet", "--package", "mockpoint", "--bin", "mockpoint"])
            .args(["--profile", if name == "debug" { "dev" } else { name }])
            .arg("--target-dir")
            .arg(target)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .status()
            .expect("cargo runs");
        assert!(status.success(), "mockpoint does not build");
        profile.join("mockpoint").with_extension(env::consts::EXE_EXTENSION)
    })
}

/// What a run of the binary did.
#[derive(Debug)]
pub struct Run {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Standard output as JSON; panics with all the run said if it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|err| panic!("{err}: {self:?}"))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("mockpoint prints UTF-8");
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// Runs the binary in a folder.
pub fn run(folder: &Path, args: &[&str]) -> Run {
    Command::new(binary()).args(args).current_dir(folder).env_remove("NO_COLOR").output().expect("mockpoint runs").into()
}

/// A temporary folder, removed when it is dropped.
pub struct Tree {
    path: PathBuf,
}

impl Tree {
    /// An empty one.
    #[expect(clippy::new_without_default, reason = "a default that creates a folder would surprise")]
    pub fn new() -> Tree {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("mockpoint-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary folder can be made");
        Tree { path: path.canonicalize().expect("it is there") }
    }

    /// With these files.
    pub fn with(files: &[(&str, &str)]) -> Tree {
        let tree = Tree::new();
        for (name, text) in files {
            tree.write(name, text.as_bytes());
        }
        tree
    }

    /// Where it is, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of something in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file and makes the folders above it.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("folders can be made");
        fs::write(path, bytes).expect("files can be written");
    }

    /// Runs the binary in it.
    pub fn run(&self, args: &[&str]) -> Run {
        run(&self.path, args)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // A failed clean-up must not hide why the test failed.
        let _ = fs::remove_dir_all(&self.path);
    }
}
