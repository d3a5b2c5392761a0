import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Port of `npm run dev`, and the address of the API to which it passes requests. */
const { CONSOLE_PORT = '5173', BACKEND_URL = 'http://localhost:8000' } = process.env;

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2022',
    // The policy of the page allows neither inline scripts nor data: URLs.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
  },
  server: {
    port: Number(CONSOLE_PORT),
    strictPort: true,
    proxy: { '/api': { target: BACKEND_URL, changeOrigin: false } },
  },
});
