import { defineConfig } from 'vite'

export default defineConfig({
  // Relative, so that a proxy may add a path in front.
  base: './',
  build: {
    // With light-dark(), which is not to be rewritten.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    assetsDir: 'assets',
    // The Content-Security-Policy allows no data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    // test/browser/console.test.ts limits what matters: the compressed first load.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      onLog(level, log, report) {
        // There is no server that renders, which "use client" is for.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
  // npm run dev, beside a service of staging.
  server: { proxy: { '/v1': 'http://127.0.0.1:8081' } },
})
