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

local function export(buffer, format)
  execute(buffer, 'mockpoint.exportFindings', { { format = format or 'json' } }, function(report)
    open_report('json', vim.json.encode(report))
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
  local client = require('mockpoint').client(buffer)
  vim.cmd.edit(vim.fn.fnameescape(vim.fs.joinpath(client and client.root_dir or vim.fn.getcwd(), 'mockpoint.toml')))
end

---@type table<string, fun(buffer: integer, argument: string?)>
M.subcommands = {
  analyse = function(buffer)
    execute(buffer, 'mockpoint.analyseWorkspace', {}, function(counts) say(string.format('%d mocking points', counts.mockingPoints)) end)
  end,
  configuration = configuration,
  export = export,
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
      local names = line:match('^%s*Mockpoint%s+export%s') and { 'json', 'sarif' } or vim.tbl_keys(M.subcommands)
      table.sort(names)
      return vim.tbl_filter(function(it) return vim.startswith(it, lead) end, names)
    end,
  })
end

return M
