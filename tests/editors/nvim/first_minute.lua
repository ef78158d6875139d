-- Waits for the first diagnostics of the file that is open, prints their messages and ends.
local function tell()
  vim.wait(60000, function()
    return #vim.diagnostic.get(0) > 0
  end)
  io.stdout:write(vim.json.encode(vim.tbl_map(function(it)
    return it.message
  end, vim.diagnostic.get(0))))
  vim.cmd.quitall({ bang = true })
end

vim.api.nvim_create_autocmd('VimEnter', { callback = vim.schedule_wrap(tell) })
