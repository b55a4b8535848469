//! Tells Zed how to start mockpoint: the program of the setting `lsp.mockpoint.binary`, else that of the PATH.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, register_extension, serde_json::Value};

struct Mockpoint;

impl Extension for Mockpoint {
    fn new() -> Mockpoint {
        Mockpoint
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|it| it.binary);
        let (path, arguments) = binary.map(|it| (it.path, it.arguments)).unwrap_or_default();
        let command = path.or_else(|| worktree.which("mockpoint")).ok_or("mockpoint is neither set nor on the PATH")?;
        Ok(Command { command, args: arguments.unwrap_or_else(|| vec!["server".to_owned()]), env: worktree.shell_env() })
    }

    fn language_server_workspace_configuration(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.settings)
    }
}

register_extension!(Mockpoint);
