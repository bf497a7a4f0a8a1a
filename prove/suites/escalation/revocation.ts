import { setTimeout as sleep } from 'node:timers/promises'
import { ok, request, signIn, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import { idsOf, userWith, type Stage } from './stage.ts'

interface Subject {
  user: Session
  role: number
}

interface Revocation {
  /** The status of the subject's very next request. */
  expected: number
  revoke: (stage: Stage, subject: Subject) => Promise<unknown>
}

const byRoot = async ({ root, tenant }: Stage, method: string, path: string, body?: unknown) =>
  ok(await root.call(method, path, body, { tenant }))

const revocations: Record<string, Revocation> = {
  'taking the role': {
    expected: 403,
    revoke: (stage, { user, role }) => byRoot(stage, 'DELETE', `/rbac/users/${user.userId}/roles/${role}`),
  },
  'emptying the role': {
    expected: 403,
    revoke: (stage, { role }) =>
      byRoot(stage, 'PUT', `/rbac/roles/${role}/permissions`, { permission_ids: [] }),
  },
  'deleting the role': {
    expected: 403,
    revoke: (stage, { role }) => byRoot(stage, 'DELETE', `/rbac/roles/${role}`),
  },
  'disabling the user': {
    expected: 401,
    revoke: (stage, { user }) => byRoot(stage, 'PUT', `/users/${user.userId}`, { status: 0 }),
  },
  'deleting the user': {
    expected: 401,
    revoke: (stage, { user }) => byRoot(stage, 'DELETE', `/users/${user.userId}`),
  },
  'changing the password elsewhere': {
    expected: 401,
    revoke: async (_stage, { user }) => {
      const elsewhere = await signIn(user.base, user.email, user.password)
      return ok(
        await elsewhere.call('POST', '/password', {
          old_password: user.password,
          new_password: 'another proof',
        }),
      )
    },
  },
}

const clients = 4

/** A client that sends requests without a pause, which keeps the caches warm, and keeps the time of each. */
class Hammer {
  readonly sent: { at: number; status: number }[] = []
  #isOver = false
  readonly #running: Promise<void>[]

  constructor(url: string, user: Session, width: number) {
    this.#running = Array.from({ length: width }, () => this.#run(url, user))
  }

  async #run(url: string, user: Session): Promise<void> {
    while (!this.#isOver) {
      const at = performance.now()
      const { status } = await request(url, 'GET', '/api/v1/users', {
        token: user.token,
        tenant: user.tenantId,
      })
      this.sent.push({ at, status })
    }
  }

  /** Waits until every client has had a success, for at most 5 s: on a busy machine the first requests are slow. */
  async warm(): Promise<void> {
    const until = performance.now() + 5000
    const isWarm = () => this.sent.filter(({ status }) => status === 200).length >= clients
    while (!isWarm() && performance.now() < until) await sleep(5)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }
}

/** Every request sent after the answer to the revocation has to be refused. */
const reviewOne = async (stage: Stage, { expected, revoke }: Revocation): Promise<number> => {
  const subject = await userWith(stage.root, stage.tenant, idsOf(stage.permissions, ['user:read']))
  const hammer = new Hammer(stage.target.url, subject.user, clients)
  await hammer.warm()
  await revoke(stage, subject)
  const revokedAt = performance.now()
  const next = await subject.user.call('GET', '/users')
  await sleep(20)
  await hammer.stop()
  const [before, after] = [
    hammer.sent.filter(({ at }) => at < revokedAt),
    hammer.sent.filter(({ at }) => at >= revokedAt),
  ]
  if (!before.some(({ status }) => status === 200)) throw new Error('the subject never had the permission')
  const late = [next, ...after].filter(({ status }) => status !== expected)
  if (late.length > 0) {
    throw new Error(`${late.length} requests sent after the revocation answered ${late[0]?.status}`)
  }
  return after.length + 1
}

const proveOne = async (stage: Stage, revocation: Revocation): Promise<string> => {
  const rounds = stage.target.short ? 5 : 25
  let refused = 0
  for (let round = 0; round < rounds; round += 1) refused += await reviewOne(stage, revocation)
  return `${rounds} rounds under ${clients} requests at a time: all ${refused} sent after the answer are refused with ${revocation.expected}`
}

/** Takes the last permission of a role and gives it back: the same token has to follow at once. */
const proveBackAndForth = async (stage: Stage): Promise<string> => {
  const turns = stage.target.short ? 20 : 100
  const { user, role } = await userWith(stage.root, stage.tenant, [])
  for (let turn = 0; turn < turns; turn += 1) {
    const codes = turn % 2 === 0 ? ['user:read'] : []
    await byRoot(stage, 'PUT', `/rbac/roles/${role}/permissions`, {
      permission_ids: idsOf(stage.permissions, codes),
    })
    const { status } = await user.call('GET', '/users')
    if (status !== (turn % 2 === 0 ? 200 : 403)) throw new Error(`turn ${turn} answers ${status}`)
  }
  return `${turns} turns with one token, each applied to the next request`
}

export const proveRevocation = async (stage: Stage, prove: Prove): Promise<void> => {
  for (const [how, revocation] of Object.entries(revocations)) {
    await prove(`${how} applies to the very next request`, () => proveOne(stage, revocation))
  }
  await prove('giving and taking a permission applies to the very next request', () =>
    proveBackAndForth(stage),
  )
}
