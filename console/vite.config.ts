import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const assets = at('dist/assets/')

/** Compresses once at build time; the server only chooses a file (`preCompressed` in server/src/http/console.ts). */
const compress: Plugin = {
  name: 'compress',
  apply: 'build',
  closeBundle: () => {
    for (const name of readdirSync(assets).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
      const bytes = readFileSync(`${assets}${name}`)
      writeFileSync(`${assets}${name}.br`, brotliCompressSync(bytes))
      writeFileSync(`${assets}${name}.gz`, gzipSync(bytes))
    }
  },
}

export default defineConfig({
  base: '/console/',
  plugins: [compress],
  resolve: { alias: { '@tenantry/client': at('../client/src/client.ts') } },
  html: { cspNonce: '{{nonce}}' },
  build: {
    manifest: true,
    // The page's policy would have to allow each font and picture that is embedded as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In kB before compression; test/first-load bounds the bytes of each page.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // Modules that most pages share form one file, which compresses better than dozens and takes one request. Measured:
      // fewer shares make the sign-in and the dashboard heavier, and more make each page many small files.
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', test: /node_modules\/(?:react-dom|scheduler|@tanstack)\//, priority: 1 },
            { name: 'frame', minShareCount: 16 },
          ],
        },
      },
      // Mantine marks its modules for server components, which the console does not use.
      onLog: (level, log, show) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log)
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': 'http://localhost:8080', '/readyz': 'http://localhost:8080' },
  },
})
