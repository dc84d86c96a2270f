-- The language server of Sluice in Neovim: one for each project, started with the first script of it. `setup` changes
-- how; without it the command `sluice` of the path is taken.

local M = {}

local options = {
  -- What starts the server.
  cmd = { 'sluice', 'lsp' },
  -- What a line of the server begins with that a lens runs: `sluice run FILE`.
  run = { 'sluice' },
  -- Whether code of the workspace, such as plugins, may be loaded.
  trusted = false,
  -- See "Settings" in the README beside this folder.
  settings = {},
  -- Called with the client and the buffer.
  on_attach = nil,
}

-- Clients by the root of their project.
local clients = {}

function M.setup(given)
  options = vim.tbl_deep_extend('force', options, given or {})
end

-- The next folder upwards that is a project, or that of the file.
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  local package = vim.fn.findfile('package.json', folder .. ';')
  if package ~= '' then return vim.fn.fnamemodify(package, ':p:h') end
  local repository = vim.fn.finddir('.git', folder .. ';')
  if repository ~= '' then return vim.fn.fnamemodify(repository, ':p:h:h') end
  return folder
end

-- The server runs nothing: what a lens offers is run in a terminal below, where prompts appear.
local function run_in_terminal(command)
  local asked = command.arguments[1]
  local words = vim.list_extend(vim.deepcopy(options.run), asked.words)
  vim.cmd('botright 12new')
  vim.fn.termopen(words, { cwd = asked.folder })
end

local function start(root)
  return vim.lsp.start_client({
    name = 'sluice',
    cmd = options.cmd,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = vim.fn.fnamemodify(root, ':t') } },
    init_options = vim.tbl_extend('force', { trusted = options.trusted }, options.settings),
    settings = { sluice = options.settings },
    commands = { ['sluice.runInTerminal'] = run_in_terminal },
    on_attach = options.on_attach,
    on_exit = function() clients[root] = nil end,
  })
end

-- Connects a buffer with the server of its project, which is started if it does not run.
function M.attach(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  vim.api.nvim_buf_set_option(buffer, 'commentstring', '// %s')
  if path == '' then return end
  local root = root_of(path)
  if not clients[root] then clients[root] = start(root) end
  if clients[root] then vim.lsp.buf_attach_client(buffer, clients[root]) end
end

return M
