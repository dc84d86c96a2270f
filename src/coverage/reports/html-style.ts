// How the pages look, by day and by night.

export const css = `
:root { --page: #fff; --text: #1f2328; --faint: #6b7280; --line: #e5e7eb; --high: #1a7f37; --medium: #9a6700;
  --low: #cf222e; --hit: #dafbe1; --missed: #ffebe9; --mark: #ffd8a8; --comment: #6b7280; --word: #8250df;
  --string: #0a6640; --number: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --text: #e6edf3; --faint: #8b949e; --line: #21262d; --high: #3fb950; --medium: #d29922;
    --low: #f85149; --hit: #12261e; --missed: #2d1214; --mark: #5a3a08; --comment: #8b949e; --word: #d2a8ff;
    --string: #7ee787; --number: #79c0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 76rem; margin: 0 auto; padding: 1rem 1.5rem; }
header p { margin: 0; }
h1 { margin: 0; font-size: 1.4rem; overflow-wrap: anywhere; }
a { color: inherit; }
dl { display: flex; flex-wrap: wrap; gap: 2rem; margin: 1rem 0 0; }
dt { color: var(--faint); font-size: 0.85rem; }
dd { margin: 0; font-size: 1.3rem; font-variant-numeric: tabular-nums; }
dd small { color: var(--faint); font-size: 0.85rem; }
.high dd, td.high { color: var(--high); }
.medium dd, td.medium { color: var(--medium); }
.low dd, td.low { color: var(--low); }
table { border-collapse: collapse; width: 100%; }
.files th, .files td { padding: 0.4rem 0.6rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
.files th[scope="row"], .files thead th:first-child { text-align: left; font-weight: normal; white-space: normal; }
.files thead th { color: var(--faint); font-size: 0.85rem; font-weight: normal; }
.files td:nth-child(odd) { color: var(--faint); font-size: 0.85rem; }
meter { width: 6rem; vertical-align: middle; }
main:has(.code) { overflow-x: auto; }
.code { font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.code td { padding: 0 0.6rem; vertical-align: top; }
.code code { font: inherit; white-space: pre; tab-size: 4; }
.number, .count { text-align: right; color: var(--faint); white-space: nowrap; user-select: none; }
.number a { text-decoration: none; }
.hit .count { background: var(--hit); color: var(--high); }
.missed .count { background: var(--missed); color: var(--low); }
.missed td { background: var(--missed); }
.note { color: var(--medium); font-family: system-ui, sans-serif; white-space: nowrap; }
tr:target td { outline: 1px solid var(--faint); }
mark { background: var(--mark); color: inherit; }
.comment { color: var(--comment); }
.keyword { color: var(--word); }
.string { color: var(--string); }
.literal { color: var(--number); }
`;
