import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

type Rolldown = NonNullable<NonNullable<UserConfig['build']>['rolldownOptions']>

export const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const assets = at('dist/assets/')

/** Compresses once at build time; the server only chooses a file (`preCompressed` in server/src/http/console.ts). */
const compress: Plugin = {
  name: 'compress',
  apply: 'build',
  closeBundle: () => {
    for (const name of readdirSync(assets).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
      const bytes = readFileSync(`${assets}${name}`)
      writeFileSync(`${assets}${name}.br`, brotliCompressSync(bytes))
      writeFileSync(`${assets}${name}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}

const ofEntry =
  /@tanstack|@mantine\/core\/esm\/core\/|@mantine\/core\/.*\/(?:Anchor|Button|TextInput)\.mjs|src\/(?:router|query-client|dress|hosted\/icon|theme)\.ts|src\/icon\.svg|src\/components\/(?:error-panel|unsaved-work|text-link|use-draft)\.tsx?|src\/session\//

const ofForms = /@mantine\/form|src\/components\/(?:use-submit|form-errors|field-checks)\.ts/

const ofFrame =
  /src\/shell\/shell\.tsx|src\/session\/scope\.ts|src\/components\/(?:ago|confirm-change|dialog|dialog-button|leave-question|page-header|list-news|loaded|table|use-notify|use-page-change|user-line)\.tsx?|IconChevron(?:Left|Right)|use-(?:callback-ref|merged-ref|uncontrolled)\.mjs|to-int\.mjs|@mantine\/core\/.*\/(?:CheckIcon|InputsGroupFieldset|Paper|Skeleton)\.mjs/

const ofChecks = /@mantine\/core\/.*\/Checkbox\.mjs/

const ofLists = /src\/components\/(?:data-table|filter-pill|search-input)\.tsx/

const ofPopups = /@mantine\/core\/.*\/Popover\.mjs/

/** Parts of Mantine's fields that lists and forms share, without their popups. */
const ofFields =
  /@mantine\/core\/.*\/(?:ComboboxChevron|get-parsed-combobox-data|InlineInput|NativeSelect)\.mjs/

const ofChoices = /@mantine\/core\/.*\/Select\.mjs/

const ofWindows = /@mantine\/core\/.*\/MultiSelect\.mjs/

/** Of the console, and of the pages of the sign-in (vite.sign-in.config.ts). */
export const shared = {
  base: '/console/',
  plugins: [compress],
  resolve: { alias: { '@tenantry/client': at('../client/src/client.ts') } },
  build: {
    manifest: true,
    // The page's policy would have to allow each font and picture that is embedded as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Lowered for older browsers, `light-dark()` would follow the system and not the theme that the person chose.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
} satisfies UserConfig

/** The directive `use client` of libraries means nothing here, and a warning for each module would hide others. */
export const quiet = {
  onLog: (level, log, say) => {
    if (log.code !== 'MODULE_LEVEL_DIRECTIVE') say(level, log)
  },
} satisfies Rolldown

export default defineConfig({
  ...shared,
  html: { cspNonce: '{{nonce}}' },
  build: {
    ...shared.build,
    // In kB before compression; test/every-page bounds the bytes of each page.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      ...quiet,
      // A group takes its modules with all that they import, except modules of a group with a higher priority.
      output: {
        // The entry names all chunks, and a longer hash does not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 6 },
            // Every page, the sign-in included.
            { name: 'entry', test: ofEntry, priority: 5 },
            { name: 'forms', test: ofForms, priority: 4 },
            // Every page behind the sign-in.
            { name: 'frame', test: ofFrame, priority: 3 },
            // Pages whose lists or forms have one.
            { name: 'fields', test: ofFields, priority: 3 },
            { name: 'checks', test: ofChecks, priority: 2 },
            { name: 'popups', test: ofPopups, priority: 2 },
            // Pages with a table.
            { name: 'lists', test: ofLists, priority: 1 },
            { name: 'choices', test: ofChoices, priority: 1 },
            { name: 'windows', test: ofWindows },
            // It brings what forms and windows need, and most pages open it later.
            { name: 'named-form', test: /src\/components\/named-form\.tsx/ },
            // Small files are slower than a few bytes too many.
            { name: 'shared', minShareCount: 20 },
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
    proxy: {
      '/api': 'http://localhost:8080',
      '/oauth2': 'http://localhost:8080',
      '/readyz': 'http://localhost:8080',
      '/console/session': 'http://localhost:8080',
    },
  },
})
