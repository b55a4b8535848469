--- `:checkhealth mockpoint`

local M = {}

function M.check()
  vim.health.start('mockpoint')
  if vim.fn.has('nvim-0.11') == 0 then
    return vim.health.error('Neovim 0.11 or newer is needed', { 'On 0.10, start the server with vim.lsp.start; README.md shows how.' })
  end
  local config = vim.lsp.config.mockpoint
  if not config then
    return vim.health.error('There is no configuration "mockpoint"', { 'Add the folder of this plugin to the runtimepath.' })
  end
  if type(config.cmd) == 'table' then
    local program = config.cmd[1]
    local found = vim.fn.exepath(program)
    if found == '' then
      return vim.health.error('The program "' .. program .. '" is not found', { 'Install it with `cargo install --path server`, or name it in vim.lsp.config("mockpoint", { cmd = { ... } }).' })
    end
    local answer = vim.system({ found, '--version' }, { text = true }):wait(5000)
    if answer.code ~= 0 then
      return vim.health.error(found .. ' does not run: ' .. (answer.stderr or ''))
    end
    vim.health.ok(vim.trim(answer.stdout) .. ' at ' .. found)
  end
  -- Neovim 0.11 has no function that tells.
  local is_enabled = (vim.lsp._enabled_configs or {}).mockpoint ~= nil
  if vim.lsp.is_enabled then is_enabled = vim.lsp.is_enabled('mockpoint') end
  if not is_enabled then
    vim.health.warn('It is not enabled', { "Call vim.lsp.enable('mockpoint')." })
  else
    vim.health.ok('It is enabled')
  end
  local clients = vim.lsp.get_clients({ name = 'mockpoint' })
  for _, client in ipairs(clients) do
    vim.health.ok(string.format('A server runs for %s (%d buffers)', client.root_dir or 'single files', vim.tbl_count(client.attached_buffers)))
  end
  if #clients == 0 then vim.health.info('No server runs: open a Java file') end
end

return M
