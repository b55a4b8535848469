-- Drives the plugin in editors/neovim from a real Neovim: enable, open, look at lenses, run commands, check health.
--
--   MOCKPOINT=path/to/mockpoint nvim --clean -n -l tests/editors/neovim_plugin.lua FOLDER FILE PLUGIN
--
-- FOLDER is a copy that may be changed, FILE a Java file in it with a mocking point and a static field that is never
-- modified and not final. Prints one line a check and 'N passed, N failed' at the end; exits with 1 if any failed.

local checks = dofile(vim.fs.joinpath(vim.fs.dirname(arg[0]), 'neovim_checks.lua'))
local check, eventually, text = checks.check, checks.eventually, checks.text
local server = os.getenv('MOCKPOINT')
assert(server and arg[3], 'usage: MOCKPOINT=PROGRAM nvim --clean -n -l neovim_plugin.lua FOLDER FILE PLUGIN')
local folder = vim.fs.normalize(vim.fn.fnamemodify(arg[1], ':p'))
local file = vim.fs.joinpath(folder, arg[2])
local plugin = vim.fs.normalize(vim.fn.fnamemodify(arg[3], ':p'))

local notes = {}
vim.notify = function(message) table.insert(notes, message) end

vim.opt.runtimepath:append(plugin)
vim.cmd('filetype on')

--- What `:checkhealth mockpoint` writes.
local function health()
  vim.cmd('checkhealth mockpoint')
  local res = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd('bwipeout!')
  return res
end

--- Runs `command` and gives the quickfix list that it opens.
local function list_of(command)
  vim.fn.setqflist({}, 'f')
  if type(command) == 'string' then vim.cmd(command) else command() end
  local res = eventually(function()
    local it = vim.fn.getqflist({ title = 1, items = 1 })
    return #it.items > 0 and it
  end)
  vim.cmd('cclose')
  return res
end

local function session()
  vim.lsp.config('mockpoint', { cmd = { 'no-such-program-of-mockpoint', 'server' } })
  local sick = health()
  check('the health check names a program that is missing', sick:find('no%-such%-program%-of%-mockpoint" is not found'), sick)

  vim.lsp.config('mockpoint', { cmd = { server, 'server' } })
  sick = health()
  check('the health check says that it is not enabled', sick:find('It is not enabled', 1, true), sick)

  vim.lsp.enable('mockpoint')
  vim.cmd.edit(vim.fn.fnameescape(file))
  local window, buffer = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  if vim.bo.filetype ~= 'java' then vim.bo.filetype = 'java' end
  local client = eventually(function() return vim.lsp.get_clients({ name = 'mockpoint', bufnr = buffer })[1] end)
  if not check('opening a Java file starts the server', client) then return end
  check('the folder of the build is the root', client.root_dir == folder:gsub('/$', ''), tostring(client.root_dir))

  local point = eventually(function()
    return vim.tbl_filter(function(it) return it.code == 'mocking-point' end, vim.diagnostic.get(buffer))[1]
  end)
  if not check('a mocking point is shown', point) then return end

  local lens = eventually(function()
    return vim.tbl_filter(function(it)
      return it.range.start.line == point.lnum and it.command and it.command.command ~= ''
    end, vim.lsp.codelens.get(buffer))[1]
  end)
  if check('a lens stands above it', lens, vim.inspect(vim.lsp.codelens.get(buffer))) then
    check('and says what it is', lens.command.title:lower():find('mocking point', 1, true), lens.command.title)
    vim.api.nvim_set_current_win(window)
    vim.api.nvim_win_set_cursor(window, { point.lnum + 1, point.col })
    local path = list_of(function() vim.lsp.codelens.run() end)
    check('running it lists the path', path and path.title:find('mocking point', 1, true), vim.inspect(path))
    check('by places in the file', path and vim.fn.bufname(path.items[1].bufnr):find(vim.fs.basename(file), 1, true), vim.inspect(path))
  end

  vim.api.nvim_set_current_win(window)
  vim.api.nvim_win_set_cursor(window, { point.lnum + 1, point.col })
  local path = list_of('Mockpoint path')
  check(':Mockpoint path lists the path at the cursor', path and #path.items > 0, vim.inspect(path))

  vim.api.nvim_set_current_win(window)
  local points = list_of('Mockpoint points')
  check(':Mockpoint points lists them all', points and points.title == 'Mocking points', vim.inspect(points))
  check('with their messages', points and points.items[1].text:find('is a mocking point', 1, true), vim.inspect(points))

  for command, pattern in pairs({
    ['Mockpoint statistics'] = '1 mocking points of',
    ['Mockpoint export json'] = '"mocking_points"',
    ['Mockpoint export sarif'] = '"2.1.0"',
  }) do
    vim.api.nvim_set_current_win(window)
    vim.cmd(command)
    local shown = eventually(function() return vim.api.nvim_get_current_buf() ~= buffer and text(0) end)
    check(':' .. command .. ' opens its report', shown and shown:find(pattern, 1, true), tostring(shown):sub(1, 300))
    if shown then vim.cmd('bwipeout!') end
  end

  -- Lists for tools go into a folder.
  vim.api.nvim_set_current_win(window)
  check(':Mockpoint export completes tools', vim.tbl_contains(vim.fn.getcompletion('Mockpoint export test', 'cmdline'), 'testable-mock'))
  -- Mockito stubs what the method calls, and its classes are named after those that have points.
  for tool, it in pairs({
    arex = { file = 'arex.json', says = 'createdAt' },
    csv = { file = 'mocking-points.csv', says = 'createdAt' },
    mockito = { file = 'mockito/src/test/java/', says = 'class OrderServiceMocks' },
  }) do
    vim.api.nvim_set_current_win(window)
    vim.cmd('Mockpoint export ' .. tool)
    local said = eventually(function()
      return vim.tbl_filter(function(it) return it:find('1 entries for ' .. tool, 1, true) end, notes)[1]
    end)
    check(':Mockpoint export ' .. tool .. ' says what it did', said, vim.inspect(notes))
    local opened = vim.api.nvim_buf_get_name(0)
    check('and opens its file', opened:find('/report/' .. it.file, 1, true) and text(0):find(it.says, 1, true), opened)
    if vim.api.nvim_get_current_buf() ~= buffer then vim.cmd('bwipeout!') end
  end
  vim.api.nvim_set_current_win(window)
  vim.cmd('Mockpoint export poem')
  check('what is no tool is refused', eventually(function()
    return vim.tbl_contains(notes, 'mockpoint: there is no format poem')
  end), vim.inspect(notes))

  vim.api.nvim_set_current_win(window)
  vim.cmd('Mockpoint analyse')
  check(':Mockpoint analyse says what it found', eventually(function() return vim.tbl_contains(notes, 'mockpoint: 1 mocking points') end), vim.inspect(notes))
  check('the status counts', eventually(function() return require('mockpoint').status() == '1 mocking points' end), require('mockpoint').status())

  local field = vim.tbl_filter(function(it) return it.code == 'never-modified-field' end, vim.diagnostic.get(buffer))[1]
  if check('a field is ruled out', field) then
    vim.api.nvim_win_set_cursor(window, { field.lnum + 1, field.col })
    vim.lsp.buf.code_action({ apply = true, filter = function(action) return vim.startswith(action.title, 'Make') end })
    check('a code action makes it final', eventually(function() return text(buffer):find('private static final int', 1, true) end), text(buffer))
  end

  vim.api.nvim_set_current_win(window)
  vim.cmd('undo')
  vim.cmd('Mockpoint final')
  check(':Mockpoint final says how many fields', eventually(function()
    return vim.tbl_contains(notes, 'mockpoint: 1 fields in 1 files become final; :wall writes them')
  end), vim.inspect(notes))
  check('and makes them final', eventually(function() return text(buffer):find('private static final int', 1, true) end), text(buffer))

  local well = health()
  check('the health check finds nothing wrong', well:find('A server runs for', 1, true) and not well:find('ERROR') and not well:find('WARNING'), well)

  vim.api.nvim_set_current_win(window)
  vim.cmd('Mockpoint restart')
  local again = eventually(function()
    local it = vim.lsp.get_clients({ name = 'mockpoint', bufnr = buffer })[1]
    return it and it.id ~= client.id and it.initialized and it
  end)
  check(':Mockpoint restart starts another server', again)

  -- A module of the same build has the same server, which reads both.
  local part = vim.fs.joinpath(folder, 'part')
  vim.fn.mkdir(part, 'p')
  vim.fn.writefile({ '<project/>' }, vim.fs.joinpath(part, 'pom.xml'))
  vim.fn.writefile({ 'class Part {', '}' }, vim.fs.joinpath(part, 'Part.java'))
  vim.cmd.edit(vim.fn.fnameescape(vim.fs.joinpath(part, 'Part.java')))
  local of_part = eventually(function() return vim.lsp.get_clients({ name = 'mockpoint', bufnr = 0 })[1] end)
  check('a module belongs to the outermost build', of_part and again and of_part.id == again.id, of_part and of_part.root_dir)
  vim.cmd('bwipeout!')
  vim.api.nvim_set_current_win(window)

  vim.cmd('Mockpoint configuration')
  check(':Mockpoint configuration edits mockpoint.toml', vim.api.nvim_buf_get_name(0):find('/mockpoint.toml', 1, true))

  vim.cmd('helptags ' .. vim.fn.fnameescape(vim.fs.joinpath(plugin, 'doc')))
  check('the help file has its tags', pcall(vim.cmd.help, ':Mockpoint') and vim.bo.filetype == 'help')
  os.remove(vim.fs.joinpath(plugin, 'doc', 'tags'))
end

local ok, err = xpcall(session, debug.traceback)
check('the test itself runs to its end', ok, err)
for _, client in ipairs(vim.lsp.get_clients()) do client:stop() end
check('the servers leave', eventually(function() return #vim.lsp.get_clients() == 0 end))
checks.finish()
