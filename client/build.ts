/**
 * `npm run build -w client`, also before packing: compiles src/ to dist/, modules and declarations, for any consumer. What
 * was built before stands until the new one is whole, for whoever reads it meanwhile.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

const compile = (folder: string): void => {
  execFileSync('tsc', ['-p', at('tsconfig.json'), '--outDir', folder], { stdio: 'inherit' })
  // The compiler turns `./api.ts` into `./api.js` in modules and leaves it in declarations, where older ones refuse it.
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'))
  }
}

const folder = at(`.build-${process.pid}`)
try {
  compile(folder)
  remove(at('dist'))
  renameSync(folder, at('dist'))
} finally {
  remove(folder)
}

// npm packs the licence that lies beside the manifest.
copyFileSync(at('../LICENSE'), at('LICENSE'))
