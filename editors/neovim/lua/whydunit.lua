-- whydunit in Neovim (0.7 or newer), beside the other servers of a buffer. Put the folder `editors/neovim` into 'runtimepath' and
-- call require('whydunit').setup() in init.lua.
local M = {}

-- The files that are of interest, by their names.
M.patterns = { '*.c', '*.h', '*.cc', '*.cpp', '*.cxx', '*.hpp', '*.rs', 'CMakeLists.txt', 'cases.jsonl' }

local clients = {}

-- The nearest folder upward that was set up for whydunit; nil where there is none.
local function project(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  while true do
    if vim.fn.filereadable(folder .. '/whydunit.toml') == 1 or vim.fn.isdirectory(folder .. '/.whydunit') == 1 then
      return folder
    end
    local above = vim.fn.fnamemodify(folder, ':h')
    if above == folder then
      return nil
    end
    folder = above
  end
end

-- Attaches a buffer to the server of its project, which is started where that was not done. The client's number, or nil.
function M.attach(buffer)
  local folder = project(vim.api.nvim_buf_get_name(buffer))
  if not folder then
    return nil
  end
  local id = clients[folder]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client({
      name = 'whydunit',
      cmd = M.command,
      root_dir = folder,
      workspace_folders = { { uri = vim.uri_from_fname(folder), name = folder } },
      init_options = M.options,
    })
    clients[folder] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

-- `command`: how the server is started; `options`: its options (docs/book/src/lsp.md).
function M.setup(settings)
  settings = settings or {}
  M.command = settings.command or { 'whydunit', 'lsp' }
  M.options = settings.options
  local group = vim.api.nvim_create_augroup('whydunit', { clear = true })
  vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
    group = group,
    pattern = M.patterns,
    callback = function(event)
      M.attach(event.buf)
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'BufWritePost' }, {
    group = group,
    pattern = M.patterns,
    callback = function(event)
      for _, client in pairs(vim.lsp.buf_get_clients(event.buf)) do
        if client.name == 'whydunit' then
          vim.lsp.codelens.refresh()
        end
      end
    end,
  })
end

return M
