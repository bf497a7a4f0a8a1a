import { defineConfig } from 'vitest/config'

/** Where `.ci/run` collects one JSON report per run; unset otherwise. */
const reportDir = process.env['TEST_REPORT_DIR']

const files = ['{server,client,console}/{src,test}/**/*.test.ts']

/** Tests with many starts, kills or thousands of jobs: `npm run test:all` and `npm run test:services` run them too. */
const slow = ['**/*.slow.test.ts']

/** Tests in Chromium: `npm run test:browser`. */
const inBrowser = ['{client,console}/test/**/*browser.test.ts']

/**
 * Of these, CI runs the paths that every user takes, because it has to end within 14 minutes. The service decides what
 * a caller may do, so the offers of the pages wait for a release (`permissions`).
 */
const onEveryPath = [
  'client/test/browser.test.ts',
  'console/test/{chunks,entry,every-page,faults,journey,registration,sessions,tabs}.browser.test.ts',
  'console/test/{account,invitations,sign-up}.browser.test.ts',
]

/** The same on both kinds of stores: the embedded run is enough. */
const onceOnly = [
  '{client,console}/**',
  'server/src/db/embedded.slow.test.ts',
  'server/src/{config,outbound,start}/*.test.ts',
  'server/src/{cache/memory,log}.test.ts',
  'server/src/features/{tenancy/scim/{grammar,patch},federation/sso/{oidc-sign-in,saml-{attacks,metadata,response}}}.test.ts',
  'server/test/{backup.slow,named-files.slow,package.slow,secret-key-file.slow,console,docs,example,guides,layers,observability,prose,supply-chain,verifiers}.test.ts',
]

interface Run {
  include: string[]
  exclude?: string[]
  /** Processes at once. Each has a database of its own. */
  processes: number
}

/**
 * The same on both kinds of stores, and quicker on services: CI runs them only there. `npm test` runs them elsewhere.
 */
const onServicesInCi = [
  'server/src/{access/last-administrator,crypto/keys}.test.ts',
  'server/src/features/{accounts/{authz/preview,mail/slow-servers,roles/naming,users/finding},audit/audit/chain}.test.ts',
  'server/src/features/delivery/events/events.test.ts',
  'server/src/features/federation/{oauth/clients/client-documents,providers/{newcomers,sign-in},reviews/decisions,sso/{exemptions,required,saml}}.test.ts',
  'server/src/features/sign-in/{auth/{email-code,guessing,reset},personal-data/personal-data,robots/robots,support/{attacks,support}}.test.ts',
  'server/src/features/tenancy/{approvals/{approvals,attacks},dashboard/activity,scim/providers,tenants/purge,transfer/transfer}.test.ts',
  'server/test/{house,known-attacks,process,sign-in-guide,sign-in-libraries,tracing}.test.ts',
]

/** Likewise, and as quick on the embedded database: CI runs them only there, so that both runs end together. */
const onEmbeddedInCi = [
  'server/src/features/delivery/webhooks/delivery.test.ts',
  'server/src/features/federation/{reviews/reviews,setup/setup}.test.ts',
  'server/src/features/sign-in/memberships/memberships.test.ts',
  'server/src/features/tenancy/{imports/imports,invitations/accept,sign-up/sign-up}.test.ts',
]

/** `server/test/run-on-services.ts` makes a database for each. */
const servicesProcesses = process.env['TEST_DATABASE_URLS']?.split(' ').length ?? 1

/** CI runs no slow test, because it has to end within 14 minutes: `npm run test:all` and `npm run test:services` do. */
const leftOutOnServices = [...onceOnly, ...(reportDir ? [...slow, ...onEmbeddedInCi] : [])]

// Tests wait for programs and clocks: a third process uses the time of two cores that the others leave.
const quick: Run = {
  include: files,
  exclude: [...slow, ...inBrowser, ...(reportDir ? onServicesInCi : [])],
  processes: 3,
}

/** By the mode that a script of package.json names. */
const runs: Record<string, Run> = {
  all: { include: files, exclude: inBrowser, processes: 2 },
  services: { include: files, exclude: leftOutOnServices, processes: servicesProcesses },
  browser: { include: reportDir ? onEveryPath : inBrowser, processes: 2 },
  /** Pictures of the documents: `npm run screenshots`. Each file has an installation of its own. */
  screenshots: { include: ['console/test/*-shots.ts'], processes: 2 },
}

/**
 * `vitest run` is the quick embedded run: it needs only Node. Only `--mode services` (server/test/run-on-services.ts)
 * uses the stores that the environment names.
 */
export default defineConfig(({ mode }) => {
  const { include, exclude = [], processes } = runs[mode] ?? quick
  if (mode !== 'services') {
    delete process.env['DATABASE_URL']
    delete process.env['REDIS_URL']
  }
  return {
    test: {
      include,
      exclude,
      globalSetup: ['server/test/templates.ts', 'server/test/seen-errors.ts'],
      setupFiles: ['server/test/own-services.ts', 'server/test/setup.ts'],
      // The files of a process share its service and its database; each test makes a tenant of its own.
      pool: 'forks',
      isolate: false,
      maxWorkers: processes,
      // Far above what a busy machine needs: a limit ends a test that hangs.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      // In CI both kinds of stores share two cores. A test that passes by itself counts, and the output marks it:
      // (retry x1).
      retry: reportDir ? 1 : 0,
      reporters: reportDir ? ['default', ['json', { outputFile: `${reportDir}/${mode}.json` }]] : ['default'],
    },
  }
})
