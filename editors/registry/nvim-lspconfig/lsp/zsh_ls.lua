---@brief
---
--- https://pypi.org/project/zsh-ls/
---
--- `zsh-ls` can be installed via `pipx` or `uv`:
--- ```sh
--- pipx install zsh-ls
--- uv tool install zsh-ls
--- ```
---
--- Language server for zsh, bash and sh: runs lines, remembers how they went, and says what
--- each exit meant on the line it came from. Lines and scripts are run by code action and code
--- lens; the outcome is shown as a message.
---@type vim.lsp.Config
return {
  cmd = { 'zsh-ls', 'serve' },
  filetypes = { 'zsh', 'bash', 'sh' },
  root_markers = { '.git' },
}
