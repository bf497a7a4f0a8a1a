import { defineConfig } from 'vitest/config'

/** Where `.ci/run` collects one JSON report per run; unset for everybody else. */
const reportDir = process.env['TEST_REPORT_DIR']

/** What is about the embedded database alone, whatever other stores there are: once is enough. */
const aboutEmbedded = ['server/test/backup.test.ts', 'server/src/db/embedded.test.ts']

/**
 * `vitest run` is the embedded run: nothing but Node is needed, and stores named in the environment are not
 * touched. Only `--mode services` (see server/test/run-on-services.ts) lets them through.
 */
export default defineConfig(({ mode }) => {
  const run = mode === 'services' ? 'services' : 'embedded'
  if (run === 'embedded') {
    delete process.env['DATABASE_URL']
    delete process.env['REDIS_URL']
  }
  return {
    test: {
      include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts'],
      exclude: run === 'services' ? aboutEmbedded : [],
      setupFiles: ['server/test/setup.ts'],
      // One process for all files: they share one database, and each test makes a tenant of its own.
      pool: 'forks',
      isolate: false,
      fileParallelism: false,
      testTimeout: 30_000,
      hookTimeout: 60_000,
      reporters: reportDir ? ['default', ['json', { outputFile: `${reportDir}/${run}.json` }]] : ['default'],
    },
  }
})
