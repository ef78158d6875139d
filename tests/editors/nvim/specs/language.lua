--- What Neovim offers while one writes: files, targets, links, the manual, formatting, shell in other files.
local H = ...
local it, eq, has = H.it, H.eq, H.has

---@param path string below the workspace
---@param lines string[]
local function write(path, lines)
  path = ('%s/project/%s'):format(vim.env.HOME, path)
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  vim.fn.writefile(lines, path)
  return path
end

--- The answer to a request about a place, once there is one.
---@param client vim.lsp.Client
---@param method string
---@param bufnr integer
---@param line? integer from 0
---@param character? integer
---@return any
local function answer(client, method, bufnr, line, character)
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  if line then
    params.position = { line = line, character = character }
  end
  return H.wait(method, function()
    local found
    local function heard(_, result) found = result or false end
    require('zsh_ls.rpc').request(client, method, params, heard, bufnr)
    vim.wait(5000, function() return found ~= nil end, 10)
    return found and next(found) and found
  end)
end

it('arguments are completed from the files of the project', function()
  write('Makefile', { 'deploy:', '\t@echo it' })
  write('justfile', { 'release:', '  echo it' })
  write('package.json', { '{"scripts": {"lint": "true"}}' })
  write('.git/HEAD', { 'ref: refs/heads/main' })
  write('.git/refs/heads/topic-1', { ('0'):rep(40) })
  local lines = { 'make ', 'just ', 'npm run ', 'git switch ', 'cat Make', 'whil', 'until', 'print *(' }
  local wanted = { 'deploy', 'release', 'lint', 'topic-1', 'Makefile', 'while', 'until', '.' }
  if vim.fn.has('nvim-0.11') == 1 then -- 0.10 says that it takes no snippets
    wanted[#wanted - 1] = 'until …; do … done'
  end
  local bufnr, client = H.script(table.concat(lines, '\n'))
  for at, line in ipairs(lines) do
    local found = answer(client, 'textDocument/completion', bufnr, at - 1, #line)
    local has_it = vim.iter(found.items or found):any(function(item)
      return vim.startswith(item.label, wanted[at])
    end)
    assert(has_it, line .. ' is not completed to ' .. wanted[at])
  end
end)

it('a file that is sourced by the folder of the script is a link, and its names are found', function()
  local library = write('below/lib.zsh', { 'greet() { print hi; }' })
  for _, opening in ipairs({ '"$(dirname "$0")/lib.zsh"', '${0:A:h}/lib.zsh', '${0%/*}/lib.zsh' }) do
    local bufnr, client = H.script('source ' .. opening .. '\ngreet', '~/project/below/uses.zsh')
    local links = answer(client, 'textDocument/documentLink', bufnr)
    eq(vim.uri_from_fname(library), links[1].target)
    vim.api.nvim_win_set_cursor(0, { 2, 0 })
    vim.lsp.buf.definition()
    H.wait('the definition', function() return vim.api.nvim_buf_get_name(0) == library end)
    vim.cmd.edit('#')
  end
end)

it('a function that is autoloaded leads to its file', function()
  local file = write('loads/functions/greet', { 'print hello $1' })
  local lines = { 'fpath=("${0:A:h}/functions" $fpath)', 'autoload -Uz greet', 'greet friend' }
  H.script(table.concat(lines, '\n'), '~/project/loads/main.zsh')
  vim.api.nvim_win_set_cursor(0, { 3, 1 })
  vim.lsp.buf.definition()
  H.wait('the file', function() return vim.api.nvim_buf_get_name(0) == file end)
end)

it('zsh explains itself in a hover', function()
  local bufnr, client =
    H.script("setopt extended_glob\nprint $pipestatus ${(U)name}\nzstyle ':completion:*' menu select")
  local cases = { { 0, 10, 'extended_glob' }, { 1, 9, 'pipestatus' }, { 1, 21, 'upper' }, { 2, 2, 'zstyle' } }
  for _, case in ipairs(cases) do
    local hover = answer(client, 'textDocument/hover', bufnr, case[1], case[2])
    has(hover.contents.value:lower(), case[3])
  end
end)

it('scripts of GitLab are checked, hovered and completed', function()
  local lines = {
    'build:',
    '  script:',
    '    - >',
    '      apt-get update',
    '      | grep -v Hit',
    '    - export SHA="$(git describe)"',
    '    - git check',
  }
  local bufnr, client = H.script(table.concat(lines, '\n'), '~/project/.gitlab-ci.yml')
  eq({ 6 }, vim.tbl_keys(H.insights(bufnr)))
  local hover = answer(client, 'textDocument/hover', bufnr, 4, 14)
  has(hover.contents.value:lower(), 'invert')
  local offered = answer(client, 'textDocument/completion', bufnr, 6, 15)
  local labels = vim.tbl_map(function(item) return item.label end, offered.items or offered)
  eq(true, vim.tbl_contains(labels, 'checkout'))
end)

it('symbols are those of the whole workspace', function()
  write('other/tool.zsh', { 'only_here() { print it; }' })
  local _, client = H.script('true')
  local found
  H.wait('the symbol', function()
    require('zsh_ls.rpc').request(client, 'workspace/symbol', { query = 'only_here' }, function(_, result)
      found = result or {}
    end)
    vim.wait(5000, function() return found ~= nil end, 10)
    return found and found[1] and found[1].name == 'only_here'
  end)
end)

it('a script is formatted by shfmt', function()
  local program = vim.env.HOME .. '/bin/shfmt'
  vim.uv.fs_symlink(vim.env.HOME .. '/src/zsh-ls/.venv/bin/shfmt', program)
  H.script('true')
  vim.cmd.ZshRestart() -- it is looked for when the server starts
  local bufnr = H.script('#!/bin/sh\nif true;then\necho   a\nfi')
  H.wait('a server that formats', function()
    local client = vim.lsp.get_clients({ name = 'zsh_ls', bufnr = bufnr })[1]
    return client and client.server_capabilities.documentFormattingProvider
  end)
  vim.bo[bufnr].expandtab, vim.bo[bufnr].shiftwidth = true, 2
  vim.lsp.buf.format({ bufnr = bufnr, timeout_ms = 20000 })
  eq({ '#!/bin/sh', 'if true; then', '  echo a', 'fi' }, vim.api.nvim_buf_get_lines(bufnr, 0, -1, false))
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { '#!/bin/sh', 'echo   a', 'echo   b' })
  vim.lsp.buf.format({ bufnr = bufnr, timeout_ms = 20000, range = { start = { 3, 0 }, ['end'] = { 3, 8 } } })
  eq({ '#!/bin/sh', 'echo   a', 'echo b' }, vim.api.nvim_buf_get_lines(bufnr, 0, -1, false))
  vim.bo[bufnr].modified = false
end)

it('functions are symbols of the script, and what they hold can be folded', function()
  local bufnr, client = H.script('#!/bin/zsh\ngreet() {\n  print hi\n}\n')
  local symbols = answer(client, 'textDocument/documentSymbol', bufnr)
  eq('greet', symbols[1].name)
  local folds = answer(client, 'textDocument/foldingRange', bufnr)
  eq({ 1, 2 }, { folds[1].startLine, folds[1].endLine })
end)

it('why a script is not formatted is said', function()
  local bufnr = H.script('#!/bin/zsh\nif true')
  H.wait('a server that formats', function()
    local client = vim.lsp.get_clients({ name = 'zsh_ls', bufnr = bufnr })[1]
    return client and client.server_capabilities.documentFormattingProvider
  end)
  vim.lsp.buf.format({ bufnr = bufnr, timeout_ms = 20000 })
  H.told('zsh-ls: shfmt cannot read this text')
end)

it('the key of lenses runs the block of Markdown that the cursor is in', function()
  local text = '# Use\n\n```sh\necho first\n```\n\n```sh\necho a\necho second-$((40 + 2))\n```\n'
  local bufnr = H.script(text, '~/project/key.md')
  local get = vim.lsp.codelens.get
  H.wait('lenses', function() return #get(vim.lsp.codelens.enable and { bufnr = bufnr } or bufnr) == 2 end)
  vim.api.nvim_win_set_cursor(0, { 9, 3 })
  H.type('\\l')
  H.output('second-42')
  eq({ 9, 3 }, vim.api.nvim_win_get_cursor(vim.fn.bufwinid(bufnr)))
end)

it('tokens of a changed script come as what has changed of them', function()
  local asked = {}
  local watching = vim.api.nvim_create_autocmd('LspRequest', {
    callback = function(event)
      local request = event.data.request
      if request.type == 'complete' then
        asked[request.method] = true
      end
    end,
  })
  local bufnr = H.script('#!/bin/zsh\nname=1\nprint $name\n')
  ---@param row integer from 0
  ---@param column integer
  local function has_token(row, column)
    local found = vim.lsp.semantic_tokens.get_at_pos(bufnr, row, column) or {}
    return vim.iter(found):any(function(token) return token.type == 'variable' end)
  end
  H.wait('tokens', function() return has_token(1, 1) end)
  vim.api.nvim_buf_set_lines(bufnr, 1, 1, false, { '# a remark', 'other=2' })
  H.wait('the changed tokens', function()
    return has_token(2, 1) and has_token(3, 1) and not has_token(1, 1)
  end)
  assert(asked['textDocument/semanticTokens/full/delta'], vim.inspect(asked))
  vim.api.nvim_del_autocmd(watching)
end)

it('a line of a session in Markdown runs without its prompt', function()
  H.script('# Use\n\n```sh\n$ echo typed-$((40 + 2))\ntyped-42\n$ echo next\n```\n', '~/project/use.md')
  vim.api.nvim_win_set_cursor(0, { 4, 0 })
  H.type('\\rr')
  H.output('typed-42')
  H.ended('echo typed-$((40 + 2))')
end)

it('a block of Markdown runs with what the blocks above left', function()
  local text = '# Use\n\n```zsh\nword=hello\n```\n\n```zsh\nprint $word from markdown\n```\n'
  local bufnr = H.script(text, '~/project/notes.md')
  vim.api.nvim_win_set_cursor(0, { 8, 0 })
  local own = vim.ui.select
  vim.ui.select = function(items, _, on_choice) on_choice(items[1]) end
  vim.cmd.ZshRun()
  H.output('hello from markdown')
  vim.ui.select = own
  eq(bufnr, vim.api.nvim_get_current_buf())
end)

it('a line of a rule or a recipe runs it, by make or just', function()
  local program = vim.env.HOME .. '/bin/just'
  vim.fn.writefile({ '#!/bin/sh', 'echo "just ran $1"; exit 3' }, program)
  vim.uv.fs_chmod(program, 493)
  vim.fn.writefile({ 'PATH=$HOME/bin:$PATH' }, vim.env.HOME .. '/.profile') -- runs have a login's variables
  H.script('true')
  vim.cmd.ZshRestart()
  local cases = { Makefile = { '\t@echo made-it', 'made-it', 'make all' } }
  cases.justfile = { '  echo it', 'just ran all', 'just all' }
  for name, case in pairs(cases) do
    local bufnr = H.script('all:\n' .. case[1], '~/project/rules/' .. name)
    vim.api.nvim_win_set_cursor(0, { 2, 0 })
    H.type('\\rr')
    H.output(case[2])
    H.ended(case[3])
    local hint = H.wait('the result', function()
      return vim.iter(vim.lsp.inlay_hint.get({ bufnr = bufnr })):find(function(one)
        return one.inlay_hint.position.line == 0
      end)
    end)
    has(hint.inlay_hint.label, name == 'Makefile' and '✓' or '✗ 3')
    vim.api.nvim_buf_set_lines(bufnr, 1, 2, false, { case[1] .. ' changed' })
    H.wait('no result', function() return #vim.lsp.inlay_hint.get({ bufnr = bufnr }) == 0 end)
    vim.bo[bufnr].modified = false
  end
end)

it('shell is hovered and completed in every kind of file that has it inside', function()
  local step = { 'jobs:', '  a:', '    steps:', '      - run: |' }
  vim.list_extend(step, { '          grep -v a b', '          git check' })
  local hosts = {
    ['.github/workflows/every.yml'] = step,
    Dockerfile = { 'FROM debian', 'RUN grep -v a b', 'RUN git check' },
    Makefile = { 'all:', '\tgrep -v a b', '\tgit check' },
    justfile = { 'all:', '  grep -v a b', '  git check' },
    ['every.md'] = { '# Use', '', '```sh', 'grep -v a b', 'git check', '```' },
  }
  for name, lines in pairs(hosts) do
    local bufnr, client = H.script(table.concat(lines, '\n'), '~/project/every/' .. name)
    for row, line in ipairs(lines) do
      local flag, word = line:find('-v', 1, true), line:find('git check', 1, true)
      if flag then
        local hover = answer(client, 'textDocument/hover', bufnr, row - 1, flag)
        has(hover.contents.value:lower(), 'invert')
      elseif word then
        local offered = answer(client, 'textDocument/completion', bufnr, row - 1, word + 8)
        local labels = vim.tbl_map(function(item) return item.label end, offered.items or offered)
        assert(vim.tbl_contains(labels, 'checkout'), name)
      end
    end
  end
end)
