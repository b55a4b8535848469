//! Reads files of wiring: first the begin of each, and the rest only of those that are worth it.

use super::{describe, too_large};
use crate::wiring::{self, LOOK, Look, WiringFacts};
use crate::workspace::{MAX_FILE, WiringFile};
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Reads a file that has the name of one; `None` if it wires nothing together. An error is a clause without a full stop.
pub fn read_wiring(path: &Path, root: &Path) -> Result<Option<WiringFile>, String> {
    let Some(bytes) = bytes(path)? else { return Ok(None) };
    // A defect that one file brings to light must not cost the findings of the others.
    let read = AssertUnwindSafe(|| WiringFile::from_bytes(PathBuf::from(path), root, bytes));
    catch_unwind(read).map_err(|_| "internal error while reading this file".to_owned())
}

fn bytes(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let Some(format) = wiring::format_of(path) else { return Ok(None) };
    let failed = |err| describe(&err, "vanished before it was read");
    let mut file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::with_capacity(LOOK);
    (&mut file).take(LOOK as u64).read_to_end(&mut bytes).map_err(failed)?;
    let is_all = bytes.len() < LOOK;
    let look = wiring::look(format, &bytes, is_all);
    if look == Look::Skip {
        return Ok(None);
    }
    if !is_all {
        file.take(MAX_FILE + 1 - LOOK as u64).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 <= MAX_FILE {
        return Ok(Some(bytes));
    }
    // Of a file that may well be data it is not worth a word.
    if look == Look::Read { Err(too_large()) } else { Ok(None) }
}

/// What is wrong with a file that was read, with line and column. Test sources may be wrong on purpose.
pub fn problems(file: &WiringFile) -> impl Iterator<Item = super::Problem> + '_ {
    let facts: &WiringFacts = &file.facts;
    facts.problems.iter().filter(|_| !file.is_test).map(|it| super::Problem {
        path: file.path.clone(),
        position: Some(file.lines.position(it.range.start as usize, crate::text::Encoding::Utf16)),
        message: it.message.clone(),
    })
}
