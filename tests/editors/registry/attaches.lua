-- What nvim-lspconfig's users do, with the file it would have; prints what came of it.
vim.opt.runtimepath:prepend(vim.env.ZSH_LS_LSPCONFIG)
vim.lsp.enable('zsh_ls')
vim.cmd.edit('script.zsh')
local function diagnostics()
  return vim.diagnostic.get(0)
end
vim.wait(20000, function()
  return #diagnostics() > 0
end)
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
io.stdout:write(vim.json.encode({
  name = client and client.name,
  root = client and client.root_dir,
  said = vim.tbl_map(function(it)
    return it.message
  end, diagnostics()),
}))
vim.cmd.quitall({ bang = true })
