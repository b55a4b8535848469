-- Drives mockpoint from a real Neovim, as a user would: open, read, hover, fix, suppress, type.
--
--   MOCKPOINT=path/to/mockpoint nvim --clean -n -l tests/editors/neovim.lua FOLDER FILE
--
-- FOLDER is a copy that may be changed, FILE a Java file in it with a mocking point and a never-modified field.
-- Prints one line a check and 'N passed, N failed' at the end; exits with 1 if any failed.
-- `.ci/neovim.sh` installs Neovim, makes such a folder and calls this.

local checks = dofile(vim.fs.joinpath(vim.fs.dirname(arg[0]), 'neovim_checks.lua'))
local check, eventually, TIMEOUT = checks.check, checks.eventually, checks.timeout

local server = os.getenv('MOCKPOINT')
assert(server and arg[1] and arg[2], 'usage: MOCKPOINT=PROGRAM nvim --clean -n -l neovim.lua FOLDER FILE')
local folder = vim.fs.normalize(vim.fn.fnamemodify(arg[1], ':p'))
local file = vim.fs.joinpath(folder, arg[2])

vim.cmd.edit(vim.fn.fnameescape(file))
local buffer = vim.api.nvim_get_current_buf()
vim.bo[buffer].filetype = 'java'

local function text()
  return checks.text(buffer)
end

local function line_text(line)
  return vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ''
end

--- Our diagnostics with this code (any code if nil) on a line that holds `word` (any line if nil).
local function diagnostics(code, word)
  return vim.tbl_filter(function(d)
    return d.source == 'mockpoint'
      and (not code or d.code == code)
      and (not word or line_text(d.lnum):find(word, 1, true) ~= nil)
  end, vim.diagnostic.get(buffer))
end

local function describe(list)
  local parts = vim.tbl_map(function(d)
    return string.format('%d:%d %s/%s %s', d.lnum + 1, d.col + 1, tostring(d.source), tostring(d.code), d.message)
  end, list)
  return #parts == 0 and 'no diagnostics' or table.concat(parts, ' | ')
end

--- The word that begins at a place of the buffer.
local function word_at(line, column)
  return line_text(line):sub(column + 1):match('^[%w_$]+') or ''
end

-- What the client complains about, and how the server ends.
local complaints = {}
local exit

local id = vim.lsp.start({
  name = 'mockpoint',
  cmd = { server, 'server' },
  root_dir = folder,
  on_error = function(code, err)
    table.insert(complaints, tostring(code) .. ' ' .. vim.inspect(err))
  end,
  on_exit = function(code, signal)
    exit = { code = code, signal = signal }
  end,
}, { bufnr = buffer })
local client = id and vim.lsp.get_client_by_id(id)
local ready = client and eventually(function()
  return client.initialized or exit
end)
check('the server starts', ready and not exit, exit and 'it ended with code ' .. exit.code)

--- Code actions are asked for at a place, as with the cursor on it.
local function actions_at(line, column)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = vim.tbl_map(function(d)
    return d.user_data and d.user_data.lsp
  end, vim.diagnostic.get(buffer, { lnum = line })), triggerKind = 1 }
  local answer = client:request_sync('textDocument/codeAction', params, TIMEOUT, buffer)
  return answer and answer.result or {}
end

--- Applies the action whose title starts with `prefix` at a place. Returns whether the text changed, and a reason.
local function apply(prefix, line, column)
  local starts = function(action)
    return vim.startswith(action.title, prefix) and not action.disabled
  end
  local offered = actions_at(line, column)
  local matching = vim.tbl_filter(starts, offered)
  if #matching == 0 then
    local titles = vim.tbl_map(function(action) return action.title end, offered)
    return false, 'offered: ' .. (#titles == 0 and 'nothing' or table.concat(titles, ', '))
  end
  local before = text()
  -- More than one match would open a menu, which nobody answers: take the first title.
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action) return action.title == matching[1].title end,
  })
  return eventually(function() return text() ~= before end), 'the text stayed as it was'
end

--- The first line, and the column in it, at which a Lua pattern matches.
local function find(pattern)
  for line, content in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = content:find(pattern)
    if column then return line - 1, column - 1 end
  end
end

--- Everything that needs a running server.
local function session()
  local point = eventually(function() return diagnostics('mocking-point')[1] end)
  if not check('a mocking point is shown', point, describe(vim.diagnostic.get(buffer))) then return end
  local method = word_at(point.lnum, point.col)
  -- With wide characters before it on the line, a wrong unit of columns shows here.
  check('it lies on the name of a method', line_text(point.lnum):find(method .. '%s*%(') and method ~= '',
    line_text(point.lnum) .. ' @ ' .. point.col)
  check('it has a message', point.message ~= '')

  local hover = client:request_sync('textDocument/hover', {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = point.lnum, character = vim.str_utfindex(line_text(point.lnum), client.offset_encoding, point.col) },
  }, TIMEOUT, buffer)
  local contents = hover and hover.result and hover.result.contents
  local lines = contents and vim.lsp.util.convert_input_to_markdown_lines(contents) or {}
  check('hovering over the method tells something', table.concat(lines):find('%S'), vim.inspect(hover))

  -- The field is where the server says something else of an initialized variable; failing that, the first of them.
  local field_line, field_column = find('[%w_$]+%s*=[^=]')
  for _, d in ipairs(diagnostics()) do
    if d.code ~= 'mocking-point' and line_text(d.lnum):find('[%w_$]+%s*=[^=]') then
      field_line, field_column = d.lnum, d.col
    end
  end
  if check('there is a field to fix', field_line) then
    local field = word_at(field_line, field_column)
    local was_final = line_text(field_line):find('%f[%w]final%f[%W]')
    local applied, reason = apply('Make', field_line, field_column)
    if check("the action 'Make …' applies", applied, reason) then
      local line = find('%f[%w_]' .. field .. '%s*=[^=]')
      local is_final = line and line_text(line):find('%f[%w]final%f[%W]')
      check('it makes the field final', not was_final and is_final, line and line_text(line))
    end
  end

  -- A new mocking point while typing. The text is not saved: the buffer is what counts.
  local last = vim.api.nvim_buf_line_count(buffer)
  while last > 1 and not line_text(last - 1):find('}') do last = last - 1 end
  vim.api.nvim_buf_set_lines(buffer, last - 1, last - 1, false,
    { '', '    long addedByTest() {', '        return System.nanoTime();', '    }' })
  local added = eventually(function() return diagnostics('mocking-point', 'addedByTest')[1] end)
  check('a method that is typed in is reported', added, describe(vim.diagnostic.get(buffer)))

  -- And it goes with its cause.
  local nano_line = find('System%.nanoTime%(%)')
  vim.api.nvim_buf_set_lines(buffer, nano_line, nano_line + 1, false, { '        return 1L;' })
  local gone = eventually(function() return #diagnostics('mocking-point', 'addedByTest') == 0 end)
  check('it goes when its cause is taken out', added and gone, describe(vim.diagnostic.get(buffer)))

  local still = eventually(function() return diagnostics('mocking-point', method)[1] end)
  if check('the first one is still there', still, describe(vim.diagnostic.get(buffer))) then
    local applied, reason = apply('Suppress', still.lnum, still.col)
    if check("the action 'Suppress …' applies", applied, reason) then
      local silent = eventually(function() return #diagnostics('mocking-point', method) == 0 end)
      check('it silences the diagnostic', silent, describe(vim.diagnostic.get(buffer)))
    end
  end
end

if ready and not exit then
  local ok, err = xpcall(session, debug.traceback)
  check('the test itself runs to its end', ok, err)
  check('the server is still alive', not exit, exit and 'code ' .. exit.code)
  client:stop()
  eventually(function() return exit end)
  check('the server leaves when asked to, with exit code 0', exit and exit.code == 0 and exit.signal == 0, vim.inspect(exit))
end
check('the client had nothing to complain about', #complaints == 0, table.concat(complaints, ' | '))

checks.finish()
