-- Files that end in `.slu` are scripts; each gets the language server when it is opened.

vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = '*.slu',
  callback = function(event) vim.api.nvim_buf_set_option(event.buf, 'filetype', 'sluice') end,
})
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'sluice',
  callback = function(event) require('sluice').attach(event.buf) end,
})
