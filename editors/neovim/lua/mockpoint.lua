--- What the configuration in lsp/mockpoint.lua does for a buffer: lenses, commands, status.

local M = {}

---@class mockpoint.Options
---@field code_lens boolean Show lenses, and keep them up to date.

---@type mockpoint.Options
M.options = { code_lens = true }

--- Changes the options. Buffers that are attached already stay as they are.
---@param options mockpoint.Options?
function M.setup(options)
  M.options = vim.tbl_extend('force', M.options, options or {})
end

--- What the servers last said of themselves, by client.
---@type table<integer, table>
local statuses = {}

---@param client_id integer
---@param status table As in docs/protocol.md.
function M.set_status(client_id, status)
  local before = statuses[client_id]
  -- The counts of a first link are not known while it runs; later ones have those of the link before.
  status.isKnown = status.state == 'ready' or (before and before.isKnown) or false
  statuses[client_id] = status
  vim.api.nvim_exec_autocmds('User', { pattern = 'MockpointStatus', data = status, modeline = false })
end

--- The client of a buffer, by default the current one.
---@param buffer integer?
---@return vim.lsp.Client?
function M.client(buffer)
  return vim.lsp.get_clients({ name = 'mockpoint', bufnr = buffer or 0 })[1]
end

--- A few words for a status line; empty where mockpoint does not run.
---@return string
function M.status()
  local client = M.client()
  local status = client and statuses[client.id]
  if not status then return '' end
  if status.state == 'indexing' then return string.format('mockpoint %d/%d', status.filesDone, status.filesTotal) end
  if not status.isKnown then return 'mockpoint …' end
  return string.format('%d mocking points', status.mockingPoints)
end

--- Called for each buffer that the server is attached to.
---@param client vim.lsp.Client
---@param buffer integer
function M.attach(client, buffer)
  require('mockpoint.commands').create(buffer)
  if not M.options.code_lens or not client:supports_method('textDocument/codeLens') then return end
  -- From 0.12 on Neovim keeps them up to date itself.
  if vim.lsp.codelens.enable then return vim.lsp.codelens.enable(true, { bufnr = buffer }) end
  local group = vim.api.nvim_create_augroup('mockpoint.lens', { clear = false })
  vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  local refresh = function() vim.lsp.codelens.refresh({ bufnr = buffer }) end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, { group = group, buffer = buffer, callback = refresh })
  -- What files say of each other is known only when the server is through with them.
  vim.api.nvim_create_autocmd('User', {
    group = group,
    pattern = 'MockpointStatus',
    callback = function(event)
      if not vim.api.nvim_buf_is_loaded(buffer) then return true end
      if event.data.state == 'ready' then refresh() end
    end,
  })
  refresh()
end

return M
