import { ask, fingerprint, inParallel, rawStatus, refuteNothing } from '../../attack.ts'
import { newTenant, newUser, ok, signIn, type Session } from '../../../lab/client.ts'
import { isAboutAccount, requestOf, type Operation } from '../../operations.ts'
import type { Prove } from '../../suite.ts'
import { everywhere, freshBody, label, send, width } from './requests.ts'
import { openMachine, strangers, type World } from './world.ts'

export const proveHeader = async (world: World, all: Operation[], caller: Session): Promise<string> => {
  const operations = all.filter((one) => !isAboutAccount(one))
  const { ids } = world.home
  const breaches: string[] = []
  await inParallel(operations, width, async (operation) => {
    const prints = new Set<string>()
    for (const stranger of strangers) {
      const tenant = String(world.ids[stranger].tenant)
      const answer = await send(world, { caller, operation, ids: everywhere(operation, ids), tenant })
      prints.add(fingerprint(answer))
      if (answer.status !== 403) {
        breaches.push(`${label(operation)} under ${stranger}'s tenant answers ${answer.status}`)
      }
    }
    if (prints.size !== 1) {
      breaches.push(`${label(operation)} answers differently for different foreign tenants`)
    }
  })
  refuteNothing(breaches)
  return `${operations.length} operations × ${strangers.length} tenants: 403, one answer to the byte`
}

export const proveMalformedHeader = async (
  world: World,
  all: Operation[],
  caller: Session,
): Promise<string> => {
  const operations = all.filter((one) => !isAboutAccount(one))
  const { id: own, ids } = world.home
  const foreign = String(world.ids.other.tenant)
  const wrong = [
    [own, foreign],
    [foreign, own],
    [own, own],
    [`${own},${foreign}`],
    [''],
    ['default'],
    [`{${own}}`],
    [`${own}0`],
  ]
  const breaches: string[] = []
  await inParallel(operations, width, async (operation) => {
    const { method, path, body } = requestOf(freshBody(operation, caller), everywhere(operation, ids))
    for (const values of wrong) {
      const tenants = values.map((value): [string, string] => ['x-tenant-id', value])
      const headers: [string, string][] = [['authorization', `Bearer ${caller.token}`], ...tenants]
      const status = await rawStatus(`${world.root.base}${path}`, { method, headers, body })
      if (status !== 400) {
        breaches.push(`${label(operation)} with X-Tenant-ID ${values.join(' and ')} answers ${status}`)
      }
    }
  })
  refuteNothing(breaches)
  return `${operations.length} operations × ${wrong.length} headers (three of them given twice): 400`
}

interface Ending {
  status: number
  end: (root: Session, caller: Session) => Promise<unknown>
}

const tenantEndings: Record<string, Ending> = {
  'disabled tenant': {
    status: 403,
    end: async (root, { tenantId }) => ok(await root.call('PUT', `/org/tenants/${tenantId}`, { status: 0 })),
  },
  'deleted tenant': {
    status: 401,
    end: async (root, { tenantId }) => ok(await root.call('DELETE', `/org/tenants/${tenantId}`)),
  },
}

/** Ways to end a session that was in use a moment ago; each resolves with the status from then on. */
const sessionEndings: Record<string, Ending> = {
  'disabled user': {
    status: 401,
    end: async (root, { userId, tenantId: tenant }) =>
      ok(await root.call('PUT', `/users/${userId}`, { status: 0 }, { tenant })),
  },
  'deleted user': {
    status: 401,
    end: async (root, { userId, tenantId: tenant }) =>
      ok(await root.call('DELETE', `/users/${userId}`, undefined, { tenant })),
  },
  'changed password': {
    status: 401,
    end: async (root, { email, password }) => {
      const elsewhere = await signIn(root.base, email, password)
      ok(await elsewhere.call('POST', '/password', { old_password: password, new_password: `${password}!` }))
    },
  },
  'signed out': {
    status: 401,
    end: async (_root, session) => ok(await session.call('POST', '/auth/logout')),
  },
  'signed out from elsewhere': {
    status: 401,
    end: async (root, { email, password }) => {
      const elsewhere = await signIn(root.base, email, password)
      ok(await elsewhere.call('DELETE', '/auth/sessions'))
    },
  },
  'sessions ended by an administrator': {
    status: 401,
    end: async (root, { userId, tenantId: tenant }) =>
      ok(await root.call('DELETE', `/users/${userId}/sessions`, undefined, { tenant })),
  },
  ...tenantEndings,
}

/** The proof `tokens` has the endings of one key or account. */
const endings = { session: sessionEndings, key: tenantEndings }
type Held = keyof typeof endings

const openCaller: Record<Held, (root: Session, tenant: string) => Promise<Session>> = {
  session: newUser,
  key: openMachine,
}

/** Every operation gives the same answer to a caller whose session or key has just ended. */
const proveStale = async (world: World, all: Operation[], held: Held, ending: Ending): Promise<string> => {
  const { root } = world
  // Users of a disabled tenant may sign out.
  const operations = all.filter(
    ({ permission }) => ending.status === 401 || permission !== 'suspendedAccount',
  )
  const { id } = await newTenant(root)
  const caller = await openCaller[held](root, id)
  try {
    ok(await caller.call('GET', '/ping'))
    await ending.end(root, caller)
    const prints = new Set<string>()
    const breaches: string[] = []
    await inParallel(operations, width, async (operation) => {
      const ids = everywhere(operation, world.home.ids)
      const answer = await send(world, { caller, operation, ids, tenant: id })
      prints.add(fingerprint(answer))
      if (answer.status !== ending.status) breaches.push(`${label(operation)} answers ${answer.status}`)
    })
    if (held === 'session') breaches.push(...(await refreshed(caller)))
    if (prints.size !== 1) breaches.push(`there are ${prints.size} different answers`)
    refuteNothing(breaches)
    return `${operations.length} operations answer ${ending.status} alike${held === 'session' ? ', refresh 401' : ''}`
  } finally {
    await root.call('DELETE', `/org/tenants/${id}`)
  }
}

const refreshed = async ({ base, refreshToken }: Session): Promise<string[]> => {
  const body = { refresh_token: refreshToken }
  const { status } = await ask(base, 'POST', '/api/v1/auth/refresh', { body })
  return status === 401 ? [] : [`refresh answers ${status}`]
}

export const proveEndings = async (world: World, operations: Operation[], prove: Prove): Promise<void> => {
  for (const held of ['session', 'key'] as const) {
    const what = held === 'session' ? 'the token of an ended session' : 'a key'
    for (const [how, ending] of Object.entries(endings[held])) {
      await prove(`every operation refuses ${what}: ${how}`, () =>
        proveStale(world, operations, held, ending),
      )
    }
  }
}
