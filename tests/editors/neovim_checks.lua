-- What both scripts that drive Neovim share: checks, waiting, and the end.

local M = {}

-- Milliseconds. The server may be a debug build on a busy machine.
M.timeout = 20000

local n_passed, n_failed = 0, 0

--- Counts and prints one check. `detail` helps whoever reads a failure.
function M.check(name, ok, detail)
  if ok then n_passed = n_passed + 1 else n_failed = n_failed + 1 end
  io.stdout:write((ok and 'ok      ' or 'FAILED  ') .. name .. ((ok or not detail) and '' or ': ' .. detail) .. '\n')
  return ok
end

--- Waits until `get` returns something, which it returns.
function M.eventually(get)
  local res
  vim.wait(M.timeout, function()
    res = get()
    return res and true or false
  end, 20)
  return res
end

--- The text of a buffer.
function M.text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

--- Says how many checks passed, and leaves; with 1 if any failed.
function M.finish()
  io.stdout:write(string.format('%d passed, %d failed\n', n_passed, n_failed))
  io.stdout:flush()
  os.exit(n_failed == 0 and 0 or 1)
end

return M
