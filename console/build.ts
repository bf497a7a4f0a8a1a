/**
 * `npm run build -w console` writes console/dist, which the service serves at /console/. With `--if-stale` it builds
 * only if a source is newer than the build; `npm start` and `npm test` do so. Without Vite (`npm ci --omit=dev`) it changes
 * nothing, and the service starts without a console and says so at /console/.
 */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const sources = [
  '*.html',
  'package.json',
  'vite*.config.ts',
  'public/**/*',
  'src/**/*',
  '../client/src/**/*',
  '../package-lock.json',
  '../docs/guides/*',
]

const changedAt = (file: string): number =>
  statSync(join(here, file), { throwIfNoEntry: false })?.mtimeMs ?? 0

const isStale = (): boolean => {
  const builtAt = changedAt('dist/index.html')
  return globSync(sources, { cwd: here }).some((file) => changedAt(file) > builtAt)
}

const isMissing = (err: unknown): boolean =>
  err instanceof Error && 'code' in err && err.code === 'ERR_MODULE_NOT_FOUND'

const build = async (): Promise<void> => {
  const vite = await import('vite').catch((err: unknown) => {
    if (!isMissing(err)) throw err
  })
  if (vite === undefined) {
    process.stderr.write('The console is not built: Vite is not installed (npm ci brings it)\n')
    return
  }
  // oxlint-disable-next-line node/no-process-env -- Vite builds for development where it is set to anything else
  process.env['NODE_ENV'] = 'production'
  await vite.build({ root: here, logLevel: 'warn' })
  await vite.build({ root: here, logLevel: 'warn', configFile: join(here, 'vite.sign-in.config.ts') })
}

if (!process.argv.includes('--if-stale') || isStale()) await build()
