---@brief
---
--- The language server of mockpoint, which finds the mocking points of Java services.
---
--- It runs beside jdtls or any other server for Java. Settings go to `settings.mockpoint`; `:help mockpoint-settings`
--- lists them. Start it with `vim.lsp.enable('mockpoint')`.

local builds = { 'mockpoint.toml', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts' }

local function is_build(folder)
  return vim.iter(builds):any(function(it) return vim.uv.fs_stat(vim.fs.joinpath(folder, it)) ~= nil end)
end

--- The outermost folder of the build that a buffer belongs to: who calls a method may be in another module. Within a repository all
--- folders above count; without one, those that follow each other. Else the repository.
---@param buffer integer
---@return string?
local function root(buffer)
  local repository = vim.fs.root(buffer, '.git')
  local found
  for folder in vim.fs.parents(vim.api.nvim_buf_get_name(buffer)) do
    if is_build(folder) then
      found = folder
    elseif found and not repository then
      break
    end
    if folder == repository then break end
  end
  return found or repository
end

---@type vim.lsp.Config
return {
  cmd = { 'mockpoint', 'server' },
  filetypes = { 'java' },
  root_dir = function(buffer, on_dir) on_dir(root(buffer)) end,
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
