-- Neovim, from 0.7 on: gcluster-lsp for CUDA sources. One server has all files of the folder in which Neovim was
-- started; of files elsewhere, of the folder that holds how they are compiled, or of their repository.
local marks = { 'compile_commands.json', 'compile_flags.txt', 'Makefile', 'makefile', 'GNUmakefile', '.git' }
local clients = {} -- root folder -> number of a client

local function root_of(file)
  local folder, here = vim.fn.fnamemodify(file, ':p:h'), vim.fn.fnamemodify(file, ':p:h')
  local start = vim.fn.getcwd()
  if start ~= vim.fn.expand('~') and vim.startswith(folder .. '/', start .. '/') then
    return start
  end
  while true do
    for _, mark in ipairs(marks) do
      if vim.loop.fs_stat(here .. '/' .. mark) then
        return here
      end
    end
    local parent = vim.fn.fnamemodify(here, ':h')
    if parent == here then
      return folder
    end
    here = parent
  end
end

local function attach(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == '' or vim.bo[buffer].buftype ~= '' then
    return
  end
  local root = root_of(file)
  local client = clients[root]
  if not client or not vim.lsp.get_client_by_id(client) then
    -- Before 0.8 there is no start(), and from 0.11 on start_client() goes.
    local start = vim.lsp.start_client or function(config) return vim.lsp.start(config, { attach = false }) end
    client = start({
      name = 'gcluster',
      cmd = { 'gcluster-lsp' },
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      get_language_id = function() return 'cuda' end,
    })
    clients[root] = client
  end
  if client then
    vim.lsp.buf_attach_client(buffer, client)
  end
end

vim.api.nvim_create_autocmd({ 'BufNewFile', 'BufRead' }, {
  pattern = { '*.cu', '*.cuh' },
  command = 'setfiletype cuda',
})
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'cuda',
  callback = function(event) attach(event.buf) end,
})

-- Files that were open before this one was read.
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'cuda' then
    attach(buffer)
  end
end
