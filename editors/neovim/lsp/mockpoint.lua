---@brief
---
--- The language server of mockpoint, which finds the mocking points of Java services.
---
--- It runs beside jdtls or any other server for Java. Settings go to `settings.mockpoint`; `:help mockpoint-settings`
--- lists them. Start it with `vim.lsp.enable('mockpoint')`.

---@type vim.lsp.Config
return {
  cmd = { 'mockpoint', 'server' },
  filetypes = { 'java' },
  -- A build file, else the repository. The innermost folder that has one of the first group counts.
  root_markers = {
    { 'mockpoint.toml', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts' },
    '.git',
  },
  init_options = {
    -- Commands of lenses that run here; see lua/mockpoint/commands.lua.
    client = { commands = { 'mockpoint.showPath', 'mockpoint.showModifiers' }, status = true },
  },
  settings = { mockpoint = {} },
  on_attach = function(client, buffer)
    require('mockpoint').attach(client, buffer)
  end,
  handlers = {
    ['mockpoint/status'] = function(_, status, context)
      require('mockpoint').set_status(context.client_id, status)
    end,
  },
}
