// A real editor: Neovim without a window opens a project of two files with what editors/neovim sets up, and says as
// JSON what its user would see.

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { command, Workspace } from './client.ts';

const folder = fileURLToPath(new URL('../../editors/neovim', import.meta.url));

function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((place) => {
    try {
      accessSync(join(place, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

// Where Neovim is not installed, a developer goes without; CI fails.
const isLacking = process.env['CI'] !== 'true' && !hasProgram('nvim');
if (isLacking) console.log('editors/neovim is not tested: apt-get install neovim installs the editor');

const workspace = new Workspace({
  'package.json': '{}',
  'shapes.slu': '/* The area of a square. */\nint square(int side) {\n  return side * side;\n}\n',
  'main.slu': 'import "./shapes.slu" as shapes;\n\nyield shapes.square(3) + shapes.sqare(4);\n',
});
afterAll(() => workspace.remove());

const waiting = `
vim.opt.runtimepath:append(${lua(folder)})
vim.opt.hidden = true
vim.opt.swapfile = false
vim.cmd('filetype plugin on')
vim.cmd('syntax on')
vim.cmd('runtime plugin/sluice.lua')
require('sluice').setup({ cmd = { ${lua(process.execPath)}, ${lua(command)}, 'lsp' }, run = { 'echo', 'ran' } })
function wait(what, met)
  if not vim.wait(15000, met, 20) then io.stdout:write(vim.json.encode({ lacks = what })) vim.cmd('cquit') end
end
function messages()
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do table.insert(found, diagnostic.message) end
  return found
end
function say(seen)
  io.stdout:write(vim.json.encode(seen))
  vim.cmd('qall!')
end
`;

function lua(text: string): string {
  return JSON.stringify(text);
}

/** What a script of Neovim's says at its end. */
function seenBy(script: string): unknown {
  const path = workspace.write('script.lua', waiting + script);
  const { stdout, stderr } = spawnSync('nvim', ['--headless', '-u', 'NONE', '-i', 'NONE', '-c', `luafile ${path}`], {
    cwd: workspace.path,
    encoding: 'utf8',
    timeout: 60_000,
  });
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`Neovim said ${stdout} ${stderr}`);
  }
}

const opened = `
vim.cmd('edit main.slu')
wait('diagnostics', function() return #messages() > 0 end)
`;

describe.skipIf(isLacking)('Neovim', { timeout: 60_000 }, () => {
  it('shows a mistake, and no more once it is mended', () => {
    expect(
      seenBy(`${opened}
        local before = messages()
        vim.api.nvim_buf_set_lines(0, 2, 3, false, { 'yield shapes.square(3) + shapes.square(4);' })
        wait('no diagnostics', function() return #messages() == 0 end)
        say({ before = before, filetype = vim.bo.filetype, syntax = vim.b.current_syntax, comment = vim.bo.commentstring })
      `),
    ).toEqual({
      before: [expect.stringContaining('sqare')],
      filetype: 'sluice',
      syntax: 'sluice',
      comment: '// %s',
    });
  });

  it('says what a name is, and goes to its definition in another file', () => {
    const seen = seenBy(`${opened}
      vim.api.nvim_win_set_cursor(0, { 3, 15 })
      local place = vim.lsp.util.make_position_params(0, 'utf-16')
      local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', place, 15000)
      local _, answer = next(answers)
      vim.lsp.buf.definition()
      wait('the definition', function() return vim.fn.expand('%:t') == 'shapes.slu' end)
      say({ hover = answer.result.contents.value, line = vim.api.nvim_win_get_cursor(0)[1] })
    `) as { hover: string; line: number };
    expect(seen.hover).toContain('int square(int side)');
    expect(seen.hover).toContain('The area of a square.');
    expect(seen.line).toBe(2);
  });

  it('renames in both files', () => {
    const seen = seenBy(`${opened}
      vim.api.nvim_win_set_cursor(0, { 3, 15 })
      vim.lsp.buf.rename('area')
      local function lines(name) return vim.fn.join(vim.fn.getbufline(vim.fn.bufnr(name), 1, '$'), '\\n') end
      wait('the new name', function() return lines('shapes.slu'):find('area') ~= nil and lines('main.slu'):find('area') ~= nil end)
      say({ main = lines('main.slu'), shapes = lines('shapes.slu') })
    `);
    expect(seen).toEqual({
      main: 'import "./shapes.slu" as shapes;\n\nyield shapes.area(3) + shapes.sqare(4);',
      shapes: '/* The area of a square. */\nint area(int side) {\n  return side * side;\n}',
    });
  });

  it('formats a script', () => {
    workspace.write('wide.slu', 'main( ) {\nyield  1 ;\n}\n');
    const seen = seenBy(`
      vim.cmd('edit wide.slu')
      wait('the server', function() return #vim.lsp.buf_get_clients(0) > 0 end)
      if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 15000 }) else vim.lsp.buf.formatting_sync({}, 15000) end
      say({ lines = vim.api.nvim_buf_get_lines(0, 0, -1, false) })
    `);
    expect(seen).toEqual({ lines: ['main() {', '  yield 1;', '}'] });
  });

  it('mends a mistake by its code action', () => {
    const seen = seenBy(`${opened}
      vim.api.nvim_win_set_cursor(0, { 3, 36 })
      vim.ui.select = function(items, _, choose) choose(items[1], 1) end
      vim.lsp.buf.code_action()
      wait('the mended line', function() return #messages() == 0 end)
      say({ line = vim.api.nvim_buf_get_lines(0, 2, 3, false)[1] })
    `);
    expect(seen).toEqual({ line: 'yield shapes.square(3) + shapes.square(4);' });
  });

  it('runs a script by its lens in a terminal', () => {
    workspace.write('hello.slu', 'main() {\n  yield 1;\n}\n');
    const seen = seenBy(`
      vim.cmd('edit hello.slu')
      wait('the server', function() return #vim.lsp.buf_get_clients(0) > 0 end)
      local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params() }, 15000)
      local _, answer = next(answers)
      local lenses = answer.result
      local titles = {}
      for _, lens in ipairs(lenses) do table.insert(titles, lens.command.title) end
      local run = lenses[1]
      local client = vim.lsp.get_client_by_id(vim.lsp.get_active_clients()[1].id)
      client.commands['sluice.runInTerminal'](run.command)
      wait('the terminal', function()
        return vim.bo.buftype == 'terminal' and vim.fn.join(vim.api.nvim_buf_get_lines(0, 0, -1, false), ' '):find('ran') ~= nil
      end)
      local words = vim.fn.join(vim.api.nvim_buf_get_lines(0, 0, 1, false), ' ')
      say({ titles = titles, words = words })
    `);
    expect(seen).toEqual({ titles: ['Run', 'Benchmark'], words: 'ran run hello.slu' });
  });
});
