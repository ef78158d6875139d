--- Which buffers get the server, and what the plugin leaves alone.
local H = ...
local it, eq = H.it, H.eq

it('shell scripts of every kind get the server without a call', function()
  for _, name in ipairs({ 'a.zsh', 'a.bash', 'a.sh', '.zshrc' }) do
    local _, client = H.script('true', '~/project/' .. name)
    eq('zsh_ls', client.name)
  end
end)

it('files of one workspace share a server, which has the workspace as its root', function()
  local _, one = H.script('true')
  local _, other = H.script('true', '~/project/below/it.zsh')
  eq(one.id, other.id)
  eq(vim.fs.normalize('~/project'), one.config.root_dir)
end)

it('a file outside of any workspace gets a server without a root, and runs in its own folder', function()
  local _, client = H.script('pwd', '~/elsewhere/alone.zsh')
  eq(nil, client.config.root_dir)
  vim.cmd.ZshRun()
  H.output(vim.fs.normalize('~/elsewhere'))
end)

it('a buffer that was never saved gets the server too', function()
  vim.cmd.enew()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'print unsaved | tr a-z A-Z' })
  vim.bo.filetype = 'zsh'
  H.client(vim.api.nvim_get_current_buf())
  vim.cmd.ZshRun()
  H.output('UNSAVED')
end)

it('files with shell inside get the server, whose insights stand where the shell is', function()
  local bufnr = H.script('# Use\n\n```bash\nif true; then\n```\n', '~/project/README.md')
  eq({ 4 }, vim.tbl_keys(H.insights(bufnr)))
end)

it('recipes, and the commands of a Dockerfile, are checked where they stand', function()
  local hosts = {
    Dockerfile = { 'FROM debian', 'RUN make test | tee log' },
    Makefile = { 'all:', '\tmake test | tee log' },
    justfile = { 'all:', '  make test | tee log' },
  }
  for name, lines in pairs(hosts) do
    local bufnr = H.script(table.concat(lines, '\n'), '~/project/hosts/' .. name)
    eq({ 2 }, vim.tbl_keys(H.insights(bufnr)))
  end
end)

it('a syntax error stands on its line, in the words of the shell', function()
  local bufnr = H.script('#!/bin/zsh\nprint a\nprint *()')
  eq({ [3] = "parse error near `\\n'" }, H.insights(bufnr))
  eq(vim.diagnostic.severity.ERROR, vim.diagnostic.get(bufnr)[1].severity)
end)

it('a text that is no shell script gets no server', function()
  local bufnr = H.edit('words', '~/project/notes.txt')
  H.script('true')
  eq({}, vim.lsp.get_clients({ name = 'zsh_ls', bufnr = bufnr }))
end)

it('no key is taken', function()
  local maps = {}
  for _, mode in ipairs({ 'n', 'x', 'i', 't', 'o' }) do
    for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
      if (map.desc or ''):find('^zsh%-ls') and not map.lhs:find('^<Plug>') then
        table.insert(maps, map.lhs)
      end
    end
  end
  eq({}, maps)
end)

it('the diagnostic settings of the person stay as they are', function()
  local before = vim.diagnostic.config()
  H.insights((H.script('f() {\n  local a=$(false) || return\n}\nf')))
  eq(before, vim.diagnostic.config())
end)

it('hints and lenses can be turned off', function()
  vim.g.zsh_ls = { inlay_hints = false, code_lenses = false }
  local bufnr = H.script('true')
  eq(false, vim.lsp.inlay_hint.is_enabled({ bufnr = bufnr }))
  if vim.lsp.codelens.is_enabled then
    eq(false, vim.lsp.codelens.is_enabled({ bufnr = bufnr }))
  end
  eq({}, vim.lsp.codelens.get(vim.lsp.codelens.enable and { bufnr = bufnr } or bufnr))
  vim.g.zsh_ls = nil
end)

it('a configuration of the person is kept (0.11)', function()
  vim.lsp.config('zsh_ls', { settings = { zshLs = { ['history.hints'] = false } } })
  vim.fn.mkdir(vim.fs.normalize('~/other/.git'), 'p')
  local _, client = H.script('true', '~/other/it.zsh')
  eq(false, client.settings.zshLs['history.hints'])
end)
