/**
 * No change passes without its approvals. Random sequences of requests, decisions, uses and cancellations run against a
 * small model, at two replicas whose clocks differ.
 */
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { approve, ask, carrying, withPolicy } from '../../../../test/approving.ts'
import { ok, type Caller } from '../../../../test/factories.ts'
import { clock, parts, startApp } from '../../../../test/harness.ts'

const another = await startApp({}, undefined, { now: () => new Date(clock.now().getTime() + 5_000) })
afterAll(() => another.app.close())

interface Step {
  kind: 'ask' | 'approve' | 'reject' | 'use' | 'useAsOther' | 'useForOther' | 'cancel' | 'plain'
  /** The request that it is about, counted from the newest one. */
  about: number
  /** The person who acts: 0 is the requester. */
  by: number
  isElsewhere: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind'][]>(
    'ask',
    'approve',
    'approve',
    'reject',
    'use',
    'use',
    'useAsOther',
    'useForOther',
    'cancel',
    'plain',
  ),
  about: fc.nat(2),
  by: fc.nat(2),
  isElsewhere: fc.boolean(),
})

interface Asked {
  id: number
  digest: string
  body: { url: string; events: string[] }
  status: string
  approvedBy: Set<number>
}

type Outcome = [status: number, next: () => void]

const nothing = () => undefined
const refused = (status: number): Outcome => [status, nothing]

const decision = (asked: Asked, { kind, by }: Step, approvals: number): Outcome => {
  if (by === 0) return refused(403)
  if (asked.status !== 'pending' || asked.approvedBy.has(by)) return refused(409)
  const next = () => {
    asked.approvedBy.add(by)
    if (asked.approvedBy.size >= approvals) asked.status = 'approved'
  }
  return [200, kind === 'approve' ? next : () => void (asked.status = 'rejected')]
}

/** The end of a request, from one of some states. */
const end = (asked: Asked, from: string[], to: string): Outcome =>
  from.includes(asked.status) ? [200, () => void (asked.status = to)] : refused(409)

/** The status of the answer that the model expects, and the change of the request. */
const outcomes: Record<Step['kind'], (asked: Asked, step: Step, approvals: number) => Outcome> = {
  ask: () => refused(200),
  plain: () => refused(403),
  approve: decision,
  reject: decision,
  cancel: (asked) => end(asked, ['pending', 'approved'], 'cancelled'),
  use: (asked) => end(asked, ['approved'], 'done'),
  useForOther: () => refused(409),
  useAsOther: () => refused(404),
}

const send = (people: Caller[], asked: Asked, { kind, by, isElsewhere }: Step) => {
  const [requester = people[0], person = people[0]] = [people[0], people[by]]
  if (!requester || !person) throw new Error('there are three people')
  const at = isElsewhere ? { at: another } : {}
  const other = { ...asked.body, url: 'http://127.0.0.1:9/other' }
  const acts: Record<string, () => ReturnType<Caller['post']>> = {
    approve: () => approve(person, asked),
    reject: () => person.post(`/approvals/${asked.id}/decide`, { approve: false, digest: asked.digest }, at),
    use: () => requester.post('/webhooks', asked.body, { ...at, ...carrying(asked.id) }),
    useForOther: () => requester.post('/webhooks', other, { ...at, ...carrying(asked.id) }),
    useAsOther: () => (people[1] ?? person).post('/webhooks', asked.body, carrying(asked.id)),
    cancel: () => requester.delete(`/approvals/${asked.id}`, at),
    plain: () => person.post('/webhooks', asked.body, at),
  }
  return acts[kind]?.()
}

test('a change passes once, after its approvals, and in no other way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 8, maxLength: 30 }),
      fc.constantFrom(1, 2),
      async (steps, count) => {
        const { tenant, all } = await withPolicy('webhook.change', { approvals: count })
        const requests: Asked[] = []
        for (const [index, one] of steps.entries()) {
          const asked = requests.at(-1 - one.about)
          if (one.kind === 'ask' || !asked) {
            const body = { url: `http://127.0.0.1:9/${index}`, events: ['*'] }
            const { id, digest } = ok(await ask(all[0], 'POST', '/webhooks', body))
            requests.push({ id, digest, body, status: 'pending', approvedBy: new Set() })
            continue
          }
          const [status, next] = outcomes[one.kind](asked, one, count)
          const answer = await send(all, asked, one)
          expect([index, one.kind, answer?.status]).toEqual([index, one.kind, status])
          next()
        }
        const used = requests.filter(({ status }) => status === 'done').map(({ body }) => body.url)
        const hooks = await parts.store
          .scoped({ tenantId: tenant.id })
          .many<{ url: string }>(sql`select url from webhooks order by id`)
        expect(hooks.map(({ url }) => url).toSorted()).toEqual(used.toSorted())
      },
    ),
    { numRuns: 12 },
  )
}, 120_000)
