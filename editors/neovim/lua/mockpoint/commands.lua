--- `:Mockpoint` and its subcommands, and the commands of lenses.

local M = {}

local function say(message, level)
  vim.notify('mockpoint: ' .. message, level or vim.log.levels.INFO)
end

--- Asks the server of a buffer to run one of its commands.
---@param buffer integer
---@param command string
---@param arguments any[]
---@param done fun(result: any)
local function execute(buffer, command, arguments, done)
  local client = require('mockpoint').client(buffer)
  if not client then return say('no server runs for this buffer', vim.log.levels.ERROR) end
  client:request('workspace/executeCommand', { command = command, arguments = arguments }, function(err, result)
    if err then return say(err.message, vim.log.levels.ERROR) end
    done(result)
  end, buffer)
end

--- Puts places into the quickfix list and opens it.
---@param title string
---@param client vim.lsp.Client
---@param locations lsp.Location[]?
local function list(title, client, locations)
  if not locations or #locations == 0 then return say('nothing to show here') end
  local items = vim.lsp.util.locations_to_items(locations, client.offset_encoding)
  vim.fn.setqflist({}, ' ', { title = title, items = items })
  vim.cmd('botright copen')
end

--- What a lens or the cursor is about, as places. A lens brings them along.
local function show(command, title)
  return function(buffer, uri, position, locations)
    local client = require('mockpoint').client(buffer)
    if not client then return say('no server runs for this buffer', vim.log.levels.ERROR) end
    if locations then return list(title, client, locations) end
    if not uri then
      local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
      uri, position = at.textDocument.uri, at.position
    end
    execute(buffer, command, { uri, position }, function(found) list(title, client, found) end)
  end
end

local show_path = show('mockpoint.showPath', 'What makes this a mocking point')
local show_modifiers = show('mockpoint.showModifiers', 'Modifiers')

for name, run in pairs({ ['mockpoint.showPath'] = show_path, ['mockpoint.showModifiers'] = show_modifiers }) do
  vim.lsp.commands[name] = function(command, context)
    run(context.bufnr, unpack(command.arguments or {}))
  end
end

--- A scratch buffer with a report.
local function open_report(filetype, text)
  vim.cmd('botright new')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, '\n', { trimempty = true }))
  vim.bo.filetype, vim.bo.modified = filetype, false
end

--- All mocking points as a quickfix list, in the order of the tree.
local function points(buffer)
  execute(buffer, 'mockpoint.findings', { vim.empty_dict() }, function(tree)
    local client = require('mockpoint').client(buffer)
    local items, seen = {}, {}
    for _, category in ipairs(tree.categories) do
      for _, class in ipairs(category.classes) do
        for _, method in ipairs(class.methods) do
          local key = class.class .. '#' .. method.signature
          if not seen[key] then
            seen[key] = true
            local item = vim.lsp.util.locations_to_items({ { uri = method.uri, range = method.selectionRange } }, client.offset_encoding)[1]
            item.text, item.type = method.message, 'I'
            table.insert(items, item)
          end
        end
      end
    end
    if #items == 0 then return say('no mocking points') end
    vim.fn.setqflist({}, ' ', { title = 'Mocking points', items = items })
    vim.cmd('botright copen')
  end)
end

--- The counts, one a line.
local function statistics(buffer)
  execute(buffer, 'mockpoint.showStatistics', { { format = 'json' } }, function(stats)
    local it = stats.total.statistics
    local lines = {
      string.format('%6d mocking points of %d methods', it.mocking_points, it.methods),
      string.format('%6d system, %d internal, %d external, %d white list', it.points.system, it.points.internal, it.points.external, it.points['white-list']),
      string.format('%6d reads of system state, %d of them mocked', it.reads.all, it.reads.intra + it.reads.inter),
      string.format('%6d fields that could hold state, %d of them modified', it.fields.all, it.fields.modified),
      string.format('%6d files, %d lines', it.files, it.lines),
    }
    open_report('', table.concat(lines, '\n'))
  end)
end

--- What takes mocking points, by the names of `mockpoint export`.
M.tools = { 'arex', 'csv', 'diffblue', 'mockito', 'moonbox', 'noise', 'repeater', 'testable-mock' }

--- The folder that the server of a buffer works in.
local function root(buffer)
  local client = require('mockpoint').client(buffer)
  return client and client.root_dir or vim.fn.getcwd()
end

--- Remarks of an export as entries of a quickfix list: those that name a place.
local function remarks(buffer, text)
  local items = {}
  for _, line in ipairs(vim.split(text, '\n', { trimempty = true })) do
    local kind, file, lnum, col, rest = line:match('^([^:]+): (.-):(%d+):(%d+): (.*)$')
    if file then
      local item = { filename = vim.fs.joinpath(root(buffer), file), lnum = tonumber(lnum), col = tonumber(col), text = kind .. ': ' .. rest }
      item.type = kind == 'warning' and 'W' or 'I'
      table.insert(items, item)
    end
  end
  return items
end

--- The list for a tool, in the folder `report`, with what to know of it in the quickfix list.
local function export_for(buffer, tool)
  local folder = vim.uri_from_fname(vim.fs.joinpath(root(buffer), 'report'))
  execute(buffer, 'mockpoint.export', { { ['for'] = tool, folder = folder } }, function(found)
    local items = remarks(buffer, found.remarks)
    vim.fn.setqflist({}, ' ', { title = 'Export for ' .. tool, items = items })
    if found.written[1] then vim.cmd('botright split ' .. vim.fn.fnameescape(vim.uri_to_fname(found.written[1]))) end
    local kept = #found.kept > 0 and string.format(', %d files stay as they are', #found.kept) or ''
    local more = #items > 0 and '; remarks are in the quickfix list' or ''
    say(string.format('%d entries for %s, %d left out%s%s', found.entries, tool, found.leftOut, kept, more))
  end)
end

--- The report as it is, or the list for a tool.
local function export(buffer, what)
  what = what or 'json'
  if vim.tbl_contains(M.tools, what) then return export_for(buffer, what) end
  execute(buffer, 'mockpoint.exportFindings', { { format = what } }, function(report)
    open_report('json', vim.json.encode(report))
  end)
end

--- `final` for all fields of the workspace that are never modified, in buffers that are not written.
local function final(buffer)
  execute(buffer, 'mockpoint.makeFinalEverywhere', {}, function(found)
    if found.places == 0 then return say('no field is to be made final') end
    say(string.format('%d fields in %d files become final; :wall writes them', found.places, found.files))
  end)
end

local function restart()
  local clients = vim.lsp.get_clients({ name = 'mockpoint' })
  for _, client in ipairs(clients) do client:stop() end
  vim.wait(5000, function() return #vim.lsp.get_clients({ name = 'mockpoint' }) == 0 end, 20)
  -- Enabling looks at all buffers anew.
  vim.lsp.enable('mockpoint', false)
  vim.lsp.enable('mockpoint')
end

local function configuration(buffer)
  vim.cmd.edit(vim.fn.fnameescape(vim.fs.joinpath(root(buffer), 'mockpoint.toml')))
end

---@type table<string, fun(buffer: integer, argument: string?)>
M.subcommands = {
  analyse = function(buffer)
    execute(buffer, 'mockpoint.analyseWorkspace', {}, function(counts) say(string.format('%d mocking points', counts.mockingPoints)) end)
  end,
  configuration = configuration,
  export = export,
  final = final,
  modifiers = function(buffer) show_modifiers(buffer) end,
  path = function(buffer) show_path(buffer) end,
  points = points,
  restart = restart,
  statistics = statistics,
}

--- Creates `:Mockpoint` for a buffer.
---@param buffer integer
function M.create(buffer)
  vim.api.nvim_buf_create_user_command(buffer, 'Mockpoint', function(call)
    local run = M.subcommands[call.fargs[1]]
    if not run then return say('no subcommand ' .. call.fargs[1], vim.log.levels.ERROR) end
    run(buffer, call.fargs[2])
  end, {
    nargs = '+',
    desc = 'Commands of mockpoint',
    complete = function(lead, line)
      local names = line:match('^%s*Mockpoint%s+export%s') and vim.list_extend({ 'json', 'sarif' }, M.tools) or vim.tbl_keys(M.subcommands)
      table.sort(names)
      return vim.tbl_filter(function(it) return vim.startswith(it, lead) end, names)
    end,
  })
end

return M
