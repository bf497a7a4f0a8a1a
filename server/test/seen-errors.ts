/**
 * Lists, at the end of a run, the errors that a route declares and no test has seen. Each process of the run leaves its
 * answers in a common folder. A run that succeeds with few routes lists nothing.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import type { ErrorName } from '../src/errors/app-error.ts'

const variable = 'TEST_SEEN_ERRORS'

/** Answers of a route: names of errors, and `success`. */
type Answers = Record<string, string[]>

interface Report {
  /** Routes with the errors of their own. */
  declared: Answers
  seen: Answers
}

const nameOf = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>): string => `${String(method)} ${url}`

const declared = new Map<string, ErrorName[]>()
const seen = new Map<string, Set<string>>()

/** Notes a route of the application, with the errors of its own. */
export const noteRoute = (route: RouteOptions): void => {
  declared.set(nameOf(route), route.config?.fails ?? [])
}

/** Notes an answer of a route: the name of its error, or `success`. */
export const noteAnswer = (route: Pick<RouteOptions, 'method' | 'url'>, answer: string): void => {
  const name = nameOf(route)
  seen.set(name, (seen.get(name) ?? new Set()).add(answer))
}

/** Leaves what this process has seen so far, after each file: vitest kills the processes of a run, which hear no exit. */
export const leaveReport = (): void => {
  const folder = process.env[variable]
  if (folder === undefined || declared.size === 0) return
  const report: Report = {
    declared: Object.fromEntries(declared),
    seen: Object.fromEntries([...seen].map(([route, answers]) => [route, [...answers]])),
  }
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(report))
}

/** For vitest, before the processes of a run start: names their common folder. */
export const setup = (): void => {
  process.env[variable] = mkdtempSync(join(tmpdir(), 'tenantry-errors-'))
}

const readReports = (folder: string): Report[] =>
  readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report)

/** For vitest, at the end of a run. */
export const teardown = (): void => {
  const folder = process.env[variable] ?? ''
  const reports = readReports(folder)
  rmSync(folder, { recursive: true, force: true })
  const isSeen = (route: string, answer: string) => reports.some((one) => one.seen[route]?.includes(answer))
  const routes = Object.entries(Object.assign({}, ...reports.map((one) => one.declared)) as Answers)
  // A stream has no answer that ends.
  const succeeded = routes.filter(([route]) => isSeen(route, 'success'))
  if (succeeded.length < 0.9 * routes.length) return
  for (const [route, names] of routes) {
    const unseen = names.filter((name) => !isSeen(route, name))
    if (unseen.length > 0) process.stdout.write(`no test has seen: ${route}: ${unseen.join(', ')}\n`)
  }
}
