import { request, type Answer } from '../../../lab/client.ts'
import { patchOf, scim } from '../../../lab/directory.ts'
import { inParallel, refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { push, type Stage } from './stage.ts'

const filterOf = (filter: string): string => `GET /Users?filter=${encodeURIComponent(filter)}`

const many = (count: number, part: (at: number) => string, word = ' or '): string =>
  Array.from({ length: count }, (_, at) => part(at)).join(word)

const nested = (open: string, close: string, depth: number): string =>
  `${open.repeat(depth)}userName pr${close.repeat(depth)}`

/** Filters that are read, and make the database work. */
const lawful: string[] = [
  many(40, (at) => `name.familyName co "%_${at}%_%"`),
  many(30, (at) => `emails[value co "${'_%'.repeat(8)}${at}"]`),
  many(30, (at) => `not (emails.value co "x${at}")`, ' and '),
  many(40, (at) => `displayName ew "${'%'.repeat(20)}${at}"`),
  many(25, (at) => `(meta.created lt "2000-01-01T00:00:00Z" or userName sw "${at}")`, ' and '),
  nested('not (', ')', 10),
]

const refused: string[] = [
  nested('(', ')', 400),
  nested('not (', ')', 150),
  nested('emails[', ']', 11),
  `userName eq "${'\\\\'.repeat(990)}`,
  `userName eq "${'a'.repeat(3000)}"`,
  many(400, () => 'a pr'),
  `${'a.'.repeat(900)}b eq 1`,
  `${'-'.repeat(1900)}1`,
]

/** The longest time in which the service answered a small question meanwhile. */
const watch = async (url: string, work: () => Promise<void>): Promise<number> => {
  const over = new AbortController()
  let longestMs = 0
  const working = work().finally(() => over.abort())
  while (!over.signal.aborted) {
    const { ms } = await request(url, 'GET', '/healthz')
    longestMs = Math.max(longestMs, ms)
  }
  await working
  return longestMs
}

const answeredMs = 5000
const heldUpMs = 1500

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

const fittingNothing = (count: number) =>
  patchOf(
    ...numbers(count).map((at) => ({
      op: 'add',
      path: `emails[type eq "t${at % 19}" and value co "${'_%'.repeat(400)}"].display`,
      value: 'x'.repeat(250),
    })),
  )

/** Changes of a user, each with the status of its answer. */
const changes = (domain: string): [string, object, number][] => [
  ['100 operations that fit nothing', fittingNothing(100), 400],
  ['101 operations that fit nothing', fittingNothing(101), 400],
  [
    'names that nobody knows',
    patchOf(
      ...numbers(100).map((at) => ({
        op: 'replace',
        value: Object.fromEntries(numbers(400).map((n) => [`name.unknown${at}x${n}`, 'y'])),
      })),
    ),
    400,
  ],
  [
    'a list that grows',
    patchOf(
      ...numbers(100).map((at) => ({
        op: 'add',
        path: 'emails',
        value: numbers(20).map((n) => ({ value: `${at}x${n}@${domain}` })),
      })),
    ),
    400,
  ],
  [
    '101 changes of one name',
    patchOf(...numbers(101).map(() => ({ op: 'replace', path: 'displayName', value: 'x' }))),
    400,
  ],
]

const proveCosts = async ({ home, short, urls }: Stage): Promise<string> => {
  const users = short ? 200 : 2000
  await inParallel(numbers(users), 8, async (at) => {
    const name = { familyName: `${'a'.repeat(200)}${at}`, givenName: 'x'.repeat(200) }
    await push(home, { name, displayName: '%_'.repeat(100) })
  })
  const id = await push(home)
  const breaches: string[] = []
  const expect = ({ status, ms }: Answer, what: string, wanted: number) => {
    if (status !== wanted) breaches.push(`${what} answers ${status}, not ${wanted}`)
    if (ms > answeredMs) breaches.push(`${what} takes ${Math.round(ms)} ms`)
  }
  const heldUp = await watch(urls[0] ?? '', async () => {
    for (const filter of lawful) expect(await scim(home.machine, filterOf(filter)), filter.slice(0, 60), 200)
    for (const filter of refused) expect(await scim(home.machine, filterOf(filter)), filter.slice(0, 60), 400)
    for (const [what, body, wanted] of changes(home.domain)) {
      expect(await scim(home.machine, `PATCH /Users/${id}`, body), what, wanted)
    }
  })
  if (heldUp > heldUpMs) breaches.push(`others wait ${Math.round(heldUp)} ms`)
  refuteNothing(breaches)
  const asked = `${lawful.length + refused.length} filters over ${users} users and 5 changes`
  return `${asked}; others waited ${Math.round(heldUp)} ms at most`
}

export const proveCostly = (stage: Stage, prove: Prove): Promise<void> =>
  prove('a costly filter or change is bounded, and holds up nobody', () => proveCosts(stage))
