import { defineConfig } from 'vitest/config'

/** Where `.ci/run` collects one JSON report per run; unset for everybody else. */
const reportDir = process.env['TEST_REPORT_DIR']

/** What other stores make no difference to: once is enough. */
const onceOnly = [
  'server/test/backup.test.ts',
  'server/src/db/embedded.test.ts',
  '{client,console}/test/*.test.ts',
]

const files = ['{server,client,console}/{src,test}/**/*.test.ts']

/** Needs Chromium, which `npm test` does not ask for: `npm run test:browser`. */
const inBrowser = ['{client,console}/test/**/*browser.test.ts']

/** Not tests: `npm run screenshots`. */
const pictures = ['console/test/readme-shots.ts']

const include: Record<string, string[]> = { services: files, browser: inBrowser, screenshots: pictures }

/**
 * `vitest run` is the embedded run: nothing but Node is needed, and stores named in the environment are not
 * touched. Only `--mode services` (see server/test/run-on-services.ts) lets them through. `--mode browser` is what needs one.
 */
export default defineConfig(({ mode }) => {
  const run = Object.hasOwn(include, mode) ? mode : 'embedded'
  if (run !== 'services') {
    delete process.env['DATABASE_URL']
    delete process.env['REDIS_URL']
  }
  return {
    test: {
      include: include[run] ?? files,
      exclude: run === 'services' ? onceOnly : run === 'embedded' ? inBrowser : [],
      setupFiles: ['server/test/setup.ts'],
      // One process for all files: they share one database, and each test makes a tenant of its own.
      pool: 'forks',
      isolate: false,
      fileParallelism: false,
      // Pages in a browser are slow on a busy machine.
      testTimeout: run === 'browser' ? 60_000 : 30_000,
      hookTimeout: 60_000,
      reporters: reportDir ? ['default', ['json', { outputFile: `${reportDir}/${run}.json` }]] : ['default'],
    },
  }
})
