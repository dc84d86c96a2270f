// The build of the playground: a page, its workers, and a service worker that knows all their files.

import { defineConfig } from 'vite';
import { serviceWorker } from './build/service-worker-plugin.ts';

export default defineConfig({
  // The page works wherever it is put.
  base: './',
  worker: { format: 'es' },
  plugins: [serviceWorker()],
  build: {
    target: 'esnext',
    outDir: 'dist',
    emptyOutDir: true,
    // Scripts and pictures are files: the policy of the page has no `data:` for them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4_000,
  },
  server: { fs: { allow: ['../..'] } },
});
