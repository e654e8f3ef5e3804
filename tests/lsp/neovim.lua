-- A real editor: with lsp/editors/gcluster.lua, Neovim's own client shows diagnostics, a hover and a lens of
-- the file that it had open before; files that it opens later have the same server.
local function expect(what, condition)
  if not vim.wait(300000, condition, 50) then
    error(what .. " hasn't come")
  end
end

local function ask(method, parameters)
  parameters.textDocument = vim.lsp.util.make_text_document_params()
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 300000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

local function run()
  expect('a client', function() return #vim.lsp.get_active_clients() == 1 end)
  local client = vim.lsp.get_active_clients()[1].id
  expect('a server', function() return vim.lsp.get_client_by_id(client).initialized end)
  local hover = ask('textDocument/hover', { position = { line = 23, character = 6 } })
  assert(hover.contents.value:find('Averages each cell', 1, true), vim.inspect(hover))
  vim.api.nvim_buf_set_lines(0, 24, 25, false, { '    tickets<<<1, 1>>>(c, nothing);' })
  expect('a diagnostic', function()
    local found = vim.diagnostic.get(0)
    return #found == 1 and found[1].lnum == 24 and found[1].message:find('nothing', 1, true)
  end)
  vim.api.nvim_buf_set_lines(0, 24, 25, false, { '    tickets<<<1, 1>>>(c, c);' })
  expect('a lens', function()
    for _, lens in ipairs(ask('textDocument/codeLens', {}) or {}) do
      if lens.command.title:find('splits along y', 1, true) then
        return true
      end
    end
  end)
  vim.cmd('edit! shared.cuh')
  expect('the same client', function() return vim.lsp.buf_is_attached(0, client) end)
  assert(#vim.lsp.get_active_clients() == 1)
  vim.lsp.stop_client(client)
  vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 50)
end

local good, mistake = pcall(run)
io.stdout:write(good and 'fine\n' or mistake .. '\n')
vim.cmd(good and 'qa!' or 'cq!')
