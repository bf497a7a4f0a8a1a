import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const assets = at('dist/assets/')

/** Compressed once, here: the server only chooses (`preCompressed` in server/src/http/console.ts). */
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
    // Fonts and pictures as data would need to be allowed by the policy one by one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What most pages need is one file: it compresses better than dozens, and takes one request.
      output: { codeSplitting: { groups: [{ name: 'frame', minShareCount: 9 }] } },
      // Mantine marks its modules for servers that render React, which there is none of here.
      onLog: (level, log, show) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log)
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': 'http://127.0.0.1:8080', '/readyz': 'http://127.0.0.1:8080' },
  },
})
