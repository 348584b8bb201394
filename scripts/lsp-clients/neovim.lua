-- Drives `whydunit lsp` by Neovim's own client: arguments are a source, words of a diagnostic, a text where a variable stands, and
-- words of its hover.
local source, wanted, variable, told = unpack(vim.fn.split(vim.env.WHYDUNIT_CASE, '|', 1))
local function fail(text)
  io.stderr:write(text .. '\n')
  vim.cmd('cquit')
end

require('whydunit').setup({ command = { vim.env.WHYDUNIT, 'lsp' } })
vim.cmd('edit ' .. source)
local has = function()
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    if diagnostic.source == 'whydunit' and diagnostic.message:find(wanted, 1, true) then
      return true
    end
  end
  return false
end
-- Before it is ready it is not told of what is saved.
local ready = function()
  local _, client = next(vim.lsp.buf_get_clients(0))
  return client and client.initialized
end
if not vim.wait(20000, ready, 20) then
  fail('the server did not begin')
end
vim.cmd('silent write')
if not vim.wait(60000, has, 100) then
  fail('no diagnostic with `' .. wanted .. '`: ' .. vim.inspect(vim.diagnostic.get(0)))
end
if vim.fn.search('\\V' .. variable, 'w') == 0 then
  fail('no `' .. variable .. '` in ' .. source)
end
local parameters = vim.lsp.util.make_position_params()
local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', parameters, 60000)
local text = vim.inspect(answers)
if not text:find(told, 1, true) then
  fail('no `' .. told .. '` in ' .. text)
end
-- A line before all others: what is shown moves with its line.
local before = vim.diagnostic.get(0)[1].lnum
vim.api.nvim_buf_set_lines(0, 0, 0, false, { '' })
local moved = function()
  local now = vim.diagnostic.get(0)[1]
  return now and now.lnum == before + 1
end
if not vim.wait(10000, moved, 50) then
  fail('the findings did not move: ' .. vim.inspect(vim.diagnostic.get(0)))
end
for _, client in pairs(vim.lsp.get_active_clients()) do
  client.stop()
end
vim.wait(5000, function() return #vim.lsp.get_active_clients() == 0 end, 50)
vim.cmd('qall!')
