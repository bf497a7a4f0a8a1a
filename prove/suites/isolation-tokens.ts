import { ask, fingerprint, inParallel, rawStatus, refuteNothing } from '../attack.ts'
import { newTenant, newUser, ok, signIn, type Session } from '../client.ts'
import { requestOf, type Operation } from '../operations.ts'
import { everywhere, freshBody, label, send, width } from './isolation-requests.ts'
import { strangers, type World } from './isolation-world.ts'

export const proveHeader = async (world: World, operations: Operation[]): Promise<string> => {
  const { admin, ids } = world.home
  const breaches: string[] = []
  await inParallel(operations, width, async (operation) => {
    const prints = new Set<string>()
    for (const stranger of strangers) {
      const tenant = String(world.ids[stranger].tenant)
      const answer = await send(world, { caller: admin, operation, ids: everywhere(operation, ids), tenant })
      prints.add(fingerprint(answer))
      if (answer.status !== 403) {
        breaches.push(`${label(operation)} under ${stranger}'s tenant answers ${answer.status}`)
      }
    }
    if (prints.size !== 1) breaches.push(`${label(operation)} tells tenants apart that are not the caller's`)
  })
  refuteNothing(breaches)
  return `${operations.length} operations × ${strangers.length} tenants: 403, one answer to the byte`
}

export const proveMalformedHeader = async (world: World, operations: Operation[]): Promise<string> => {
  const { id: own, admin, ids } = world.home
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
    const { method, path, body } = requestOf(freshBody(operation, admin), everywhere(operation, ids))
    for (const values of wrong) {
      const tenants = values.map((value): [string, string] => ['x-tenant-id', value])
      const headers: [string, string][] = [['authorization', `Bearer ${admin.token}`], ...tenants]
      const status = await rawStatus(`${world.root.base}${path}`, { method, headers, body })
      if (status !== 400) {
        breaches.push(`${label(operation)} with X-Tenant-ID ${values.join(' and ')} answers ${status}`)
      }
    }
  })
  refuteNothing(breaches)
  return `${operations.length} operations × ${wrong.length} headers (three of them given twice): 400`
}

/** Ends a session that was in use a moment ago, each in a way of its own; the value is the status from then on. */
export const endings: Record<
  string,
  { status: number; end: (root: Session, session: Session) => Promise<unknown> }
> = {
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
  'disabled tenant': {
    status: 403,
    end: async (root, { tenantId }) => ok(await root.call('PUT', `/org/tenants/${tenantId}`, { status: 0 })),
  },
  'deleted tenant': {
    status: 401,
    end: async (root, { tenantId }) => ok(await root.call('DELETE', `/org/tenants/${tenantId}`)),
  },
}

export const proveStale = async (world: World, operations: Operation[], how: string): Promise<string> => {
  const ending = endings[how]
  if (!ending) throw new Error(`no ending ${how}`)
  const { id } = await newTenant(world.root)
  const session = await newUser(world.root, id)
  try {
    ok(await session.call('GET', '/profile'))
    await ending.end(world.root, session)
    const prints = new Set<string>()
    const breaches: string[] = []
    await inParallel(operations, width, async (operation) => {
      const answer = await send(world, {
        caller: session,
        operation,
        ids: everywhere(operation, world.home.ids),
        tenant: id,
      })
      prints.add(fingerprint(answer))
      if (answer.status !== ending.status) breaches.push(`${label(operation)} answers ${answer.status}`)
    })
    const refreshed = await ask(session.base, 'POST', '/api/v1/auth/refresh', {
      body: { refresh_token: session.refreshToken },
    })
    if (refreshed.status !== 401) breaches.push(`refresh answers ${refreshed.status}`)
    if (prints.size !== 1) breaches.push(`there are ${prints.size} different answers`)
    refuteNothing(breaches)
    return `${operations.length} operations answer ${ending.status} alike, refresh 401`
  } finally {
    await world.root.call('DELETE', `/org/tenants/${id}`)
  }
}
