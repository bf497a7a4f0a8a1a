/**
 * Compiles src/ to modules and declarations in dist/: `npm run build -w client`, and before packing. With `--if-stale` it
 * does so only if a source is newer than the build; `npm run example` and `npm test` do so.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const changedAt = (path: string): number => statSync(at(path), { throwIfNoEntry: false })?.mtimeMs ?? 0

const isStale = (): boolean => {
  const builtAt = changedAt('dist/guard/guard.js')
  return globSync('src/**/*', { cwd: at('.') }).some((file) => changedAt(file) > builtAt)
}

const build = (): void => {
  rmSync(at('dist'), { recursive: true, force: true })
  execFileSync('tsc', ['-p', at('tsconfig.json')], { stdio: 'inherit' })

  // The compiler writes `./api.js` for `./api.ts` in modules only. Older compilers refuse the .ts ending in declarations.
  for (const file of globSync('dist/**/*.d.ts', { cwd: at('.') })) {
    const text = readFileSync(at(file), 'utf8')
    const importing = (ending: string) =>
      text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, `$1${ending}`)
    writeFileSync(at(file), importing('.js'))
    // For CommonJS: Node requires the modules, but compilers refuse their declarations under `module: node16`.
    writeFileSync(at(file.replace(/\.ts$/, '.cts')), importing('.cjs'))
  }

  // npm packs only a licence beside the manifest.
  copyFileSync(at('../LICENSE'), at('LICENSE'))
}

if (!process.argv.includes('--if-stale') || isStale()) build()
