/** `npm run build -w client`, also before packing: compiles src/ to dist/, modules and declarations, for any consumer. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

rmSync(at('dist'), { recursive: true, force: true })
execFileSync('tsc', ['-p', at('tsconfig.json')], { stdio: 'inherit' })

// The compiler turns `./api.ts` into `./api.js` in modules and leaves it in declarations, where older ones refuse it.
for (const file of globSync('dist/**/*.d.ts', { cwd: at('.') })) {
  const text = readFileSync(at(file), 'utf8')
  writeFileSync(at(file), text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'))
}

// npm packs the licence that lies beside the manifest.
copyFileSync(at('../LICENSE'), at('LICENSE'))
