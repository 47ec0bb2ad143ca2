import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompressed } from './build/precompressed.js';
import { themeVariables } from './build/theme-variables.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Where `npm run dev:console` passes on what the page asks of the API. */
const server = process.env['PALIMPSEST_URL'] ?? 'http://127.0.0.1:9991';

export default defineConfig({
  root: here('.'),
  base: '/console/',
  cacheDir: here('../node_modules/.vite'),
  plugins: [react(), themeVariables(), precompressed()],
  server: { proxy: { '/api': server, '/user_avatars': server, '/user_uploads': server } },
  build: {
    outDir: here('../dist/console'),
    emptyOutDir: true,
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
});
