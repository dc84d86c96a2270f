// A kernel in JavaScript, in a process of its own: node javascript.ts MAIN.js N

import { pathToFileURL } from 'node:url';
import { serve } from './serve.ts';

const [file, n] = process.argv.slice(2) as [string, string];
const program = (await import(pathToFileURL(file).href)) as { main: (n: number) => unknown };
await serve(() => program.main(Number(n)));
