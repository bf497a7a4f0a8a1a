/**
 * Writes everything that the published package runs to dist/. These are the compiled modules of src/ (Node refuses
 * TypeScript below node_modules), the migrations, the built console, and an operator's documents and files. `npm pack
 * -w server` does so before packing.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

rmSync(at('dist'), { recursive: true, force: true })
execFileSync('tsc', ['-p', at('tsconfig.json')], { stdio: 'inherit' })
cpSync(at('src/db/migrations'), at('dist/db/migrations'), { recursive: true })

execFileSync(process.execPath, [at('../console/build.ts'), '--if-stale'], { stdio: 'inherit' })
cpSync(at('../console/dist'), at('dist/console'), { recursive: true })

cpSync(at('../docs'), at('dist/docs'), {
  recursive: true,
  filter: (path) => path !== at('../docs/images') && path !== at('../docs/openapi.json'),
})
copyFileSync(at('../CHANGELOG.md'), at('dist/CHANGELOG.md'))
cpSync(at('../deploy'), at('dist/deploy'), {
  recursive: true,
  filter: (path) => path !== at('../deploy/test') && !path.endsWith('.test.yaml'),
})

// npm packs only a licence beside the manifest.
copyFileSync(at('../LICENSE'), at('LICENSE'))
