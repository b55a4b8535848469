//! `mockpoint.export`: the list for a tool as an answer, or written into a folder. `docs/protocol.md` has the form.

use super::commands::wrong;
use super::moment::Moment;
use crate::export::{self, Exported, Options, Placement, Syntax, Tool};
use crate::report::Report;
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::Url;

/// Makes the list for a tool, with what to know of it.
pub(super) fn run(moment: &Moment, options: Option<&Value>) -> Result<Value> {
    let text = |key: &str| options.and_then(|it| it.get(key)).and_then(Value::as_str);
    let folder = text("folder")
        .map(|uri| Url::parse(uri).ok().and_then(|it| it.to_file_path().ok()).ok_or_else(|| wrong(&format!("{uri} is no folder"))))
        .transpose()?;
    let options = read(options)?;
    let report = Report { linked: &moment.snapshot.linked, problems: &[], root: &moment.root };
    let exported = export::export(&report, &options);
    let mut remarks = Vec::new();
    export::print_remarks(&mut remarks, &report, &exported).map_err(|_| Error::internal_error())?;
    let remarks = String::from_utf8_lossy(&remarks);
    let Exported { n_entries, n_left_out, .. } = exported;
    let Some(folder) = folder else {
        let files: Vec<Value> = exported.files.iter().map(|it| json!({ "path": it.path, "text": it.text })).collect();
        return Ok(json!({ "text": exported.text, "files": files, "remarks": remarks, "entries": n_entries, "leftOut": n_left_out }));
    };
    let Written { written, kept } =
        write(&folder, &exported, file_name(options.tool, options.syntax)).map_err(|(path, err)| wrong(&format!("{path} cannot be written: {err}")))?;
    Ok(json!({ "written": written, "kept": kept, "remarks": remarks, "entries": n_entries, "leftOut": n_left_out }))
}

fn read(options: Option<&Value>) -> Result<Options> {
    let value = |key: &str| options.and_then(|it| it.get(key));
    let text = |key: &str| value(key).and_then(Value::as_str);
    let words = |key: &str| value(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let name = text("for").unwrap_or_default();
    let tool = Tool::by_name(name).ok_or_else(|| wrong(&format!("there is no tool `{name}`")))?;
    let category = |name: &str| export::category(name).ok_or_else(|| wrong(&format!("there is no category {name}")));
    Ok(Options {
        tool,
        categories: words("categories").map(category).collect::<Result<_>>()?,
        packages: words("packages").map(str::to_owned).collect(),
        all: value("all").and_then(Value::as_bool).unwrap_or(false),
        placement: if text("placement") == Some("narrow") { Placement::Narrow } else { Placement::Paper },
        app: text("app").unwrap_or("app").to_owned(),
        syntax: if text("format") == Some("yaml") { Syntax::Yaml } else { Syntax::Json },
    })
}

/// What the file of a tool is called; of test classes, the folder that they go to, which says that they are tests.
fn file_name(tool: Tool, syntax: Syntax) -> &'static str {
    match (tool, syntax) {
        (Tool::Arex, Syntax::Yaml) => "arex.yaml",
        (Tool::Arex, Syntax::Json) => "arex.json",
        (Tool::Repeater, _) => "repeater.json",
        (Tool::Moonbox, _) => "moonbox.json",
        (Tool::Diffblue, _) => "diffblue.txt",
        (Tool::TestableMock, _) => "testable-mock/src/test/java",
        (Tool::Mockito, _) => "mockito/src/test/java",
        (Tool::Noise, _) => "noise.json",
        (Tool::Csv, _) => "mocking-points.csv",
        (Tool::Sarif, _) => "mockpoint.sarif",
    }
}

/// The files of an export, by their addresses.
#[derive(Default)]
struct Written {
    written: Vec<Url>,
    /// Test classes that were there: somebody may have filled them in.
    kept: Vec<Url>,
}

/// Writes the list in place of an older one, or test classes beside those that are there.
fn write(folder: &Path, exported: &Exported, name: &str) -> std::result::Result<Written, (String, io::Error)> {
    let place = folder.join(name);
    let mut found = Written::default();
    let mut put = |path: &Path, text: &str, replaces: bool| {
        let mut options = OpenOptions::new();
        options.write(true).truncate(replaces).create(replaces).create_new(!replaces);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let kept = match options.open(path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                false
            }
            Err(err) if err.kind() == ErrorKind::AlreadyExists => true,
            Err(err) => return Err(err),
        };
        let list = if kept { &mut found.kept } else { &mut found.written };
        list.extend(Url::from_file_path(path).ok());
        Ok(())
    };
    let named = |path: &Path, err: io::Error| (path.display().to_string(), err);
    if place.extension().is_some() {
        put(&place, &exported.text, true).map_err(|err| named(&place, err))?;
    }
    for file in &exported.files {
        let path = place.join(&file.path);
        put(&path, &file.text, false).map_err(|err| named(&path, err))?;
    }
    Ok(found)
}
