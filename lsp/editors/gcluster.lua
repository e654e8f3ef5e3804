-- Neovim: gcluster-lsp for CUDA sources. One server has all files of the folder in which Neovim was
-- started.
local client
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'cuda',
  callback = function(event)
    client = client or vim.lsp.start_client({ name = 'gcluster', cmd = { 'gcluster-lsp' }, root_dir = vim.fn.getcwd() })
    vim.lsp.buf_attach_client(event.buf, client)
  end,
})
