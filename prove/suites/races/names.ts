import { ask, patiently, refuteNothing, removeTenants } from '../../attack.ts'
import { newUser, ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { parseToken } from '../../forge.ts'
import { readAll } from '../input/journal.ts'
import { adminAt, only, statusesOf, type Stage } from './stage.ts'

const width = 16

const atOnce = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

/** Alternates upper and lower case: uniqueness ignores case. */
const cased = (text: string, at: number): string => (at % 2 === 0 ? text : text.toUpperCase())

const password = 'a proof of Tenantry'

/** Many creations at once under one name, and the count of the objects afterwards. */
interface Creation {
  send: (name: string, at: number) => Promise<Answer>
  count: (name: string) => Promise<number>
}

const usersLike = async ({ root, tenant }: Stage, search: string): Promise<number> =>
  (await readAll(root, tenant, `/users?search=${search}`)).total

const rolesNamed = async ({ root, tenant }: Stage, name: string): Promise<number> => {
  const roles: { name: string }[] = ok(await root.call('GET', '/rbac/roles', undefined, { tenant }))
  return roles.filter((role) => role.name.toLowerCase() === name.toLowerCase()).length
}

const tenantsWith = async (root: Session, slug: string): Promise<string[]> => {
  const tenants: { id: string; slug: string }[] = ok(await root.call('GET', '/org/tenants'))
  return tenants.filter((tenant) => tenant.slug === slug).map(({ id }) => id)
}

export const creations: Record<string, (stage: Stage) => Creation> = {
  'an e-mail registered': (stage) => ({
    send: (name, at) => {
      const body = { email: cased(`${name}@example.com`, at), username: unique('race'), password }
      return adminAt(stage, at).call('POST', '/users', body)
    },
    count: (name) => usersLike(stage, `${name}@example.com`),
  }),
  'a username taken': (stage) => ({
    send: (name, at) => {
      const body = { email: `${unique('race')}@example.com`, username: cased(name, at), password }
      return adminAt(stage, at).call('POST', '/users', body)
    },
    count: (name) => usersLike(stage, name),
  }),
  'a slug taken': ({ root }) => ({
    send: (slug) => root.call('POST', '/org/tenants', { name: slug, slug }),
    count: async (slug) => {
      const ids = await tenantsWith(root, slug)
      await removeTenants(root, ids)
      return ids.length
    },
  }),
  'a role named': (stage) => ({
    send: (name, at) => adminAt(stage, at).call('POST', '/rbac/roles', { name: cased(name, at) }),
    count: (name) => rolesNamed(stage, name),
  }),
}

/** Of many equal creations exactly one succeeds, and one object exists. */
export const proveEqual = async ({ target }: Stage, { send, count }: Creation): Promise<string> => {
  const rounds = target.short ? 3 : 25
  const expected = `200${',409'.repeat(width - 1)}`
  for (let round = 0; round < rounds; round += 1) {
    const name = unique('equal')
    const statuses = statusesOf(await atOnce(width, (at) => patiently(() => send(name, at))))
    if (statuses !== expected) throw new Error(`answers ${statuses}`)
    const there = await count(name)
    if (there !== 1) throw new Error(`${there} of them exist`)
  }
  return `${rounds} × ${width} at once: each time one 200 and ${width - 1} × 409, and one exists`
}

/** Refreshes one session many times at once: every request gets a pair of that session, which stays alive. */
export const proveStorm = async ({ target: { url, root, short }, tenant }: Stage): Promise<string> => {
  const [storm, rounds] = [50, short ? 2 : 10]
  const refresh = (token: string) =>
    ask(url, 'POST', '/api/v1/auth/refresh', { body: { refresh_token: token } })
  for (let round = 0; round < rounds; round += 1) {
    const session = await newUser(root, tenant)
    const answers = await atOnce(storm, () => refresh(session.refreshToken))
    const pairs = answers.map((answer) => ok(answer) as { access_token: string; refresh_token: string })
    const ids = new Set(
      [session.token, ...pairs.map((pair) => pair.access_token)].map(
        (token) => parseToken(token).payload['sid'],
      ),
    )
    if (ids.size !== 1) throw new Error(`one session became ${ids.size}`)
    const checked = await atOnce(storm, (at) =>
      ask(url, 'GET', '/api/v1/profile', { token: pairs[at]?.access_token }),
    )
    if (checked.some(({ status }) => status !== 200)) {
      throw new Error(`its tokens answer ${statusesOf(checked)}`)
    }
    ok(await refresh(only(pairs).refresh_token))
  }
  return `${rounds} × ${storm} at once: ${storm} × 200, one session, all ${storm} access tokens work and it can be refreshed again`
}

interface Detailed {
  id: number
  action: string
  detail: Record<string, { from: unknown; to: unknown }>
}

const recordsOf = async ({ root, tenant }: Stage, resource: string, id: string): Promise<Detailed[]> => {
  const path = `/audit/logs?resource=${resource}`
  const { items } = await readAll<Detailed & { resource_id: string }>(root, tenant, path)
  return items.filter(({ resource_id: of }) => of === id).toSorted((a, b) => a.id - b.id)
}

const text = (value: unknown): string =>
  JSON.stringify(
    Array.isArray(value) ? value.toSorted((a, b) => String(a).localeCompare(String(b))) : (value ?? null),
  )

/** Each record has to start from the state that the record before it left. */
const brokenLinks = (records: Detailed[], field: string): string[] => {
  const links = records.flatMap(({ id, detail }) => (detail[field] ? [{ id, ...detail[field] }] : []))
  return links.flatMap(({ id, from }, at) => {
    const left = links[at - 1]?.to
    return at === 0 || text(from) === text(left)
      ? []
      : [`record ${id} starts from ${text(from)} instead of ${text(left)}`]
  })
}

const codes = async ({ root, tenant }: Stage, path: string): Promise<{ id: number; code: string }[]> =>
  ok(await root.call('GET', path, undefined, { tenant }))

/**
 * Many clients replace a role's permissions. The outcome is one complete set, and each record of the log starts from
 * the set before.
 */
export const proveSets = async (stage: Stage): Promise<string> => {
  const { id } = ok(await only(stage.admins).call('POST', '/rbac/roles', { name: unique('sets') })) as {
    id: number
  }
  const path = `/rbac/roles/${id}/permissions`
  const held = await codes(stage, `/rbac/roles/${stage.adminRole}/permissions`)
  const sets = Array.from({ length: width }, (_, at) =>
    held.filter((_one, n) => (n * 7 + at) % (at + 2) === 0),
  )
  const rounds = stage.target.short ? 5 : 40
  for (let round = 0; round < rounds; round += 1) {
    const answers = await atOnce(width, (at) => {
      const body = { permission_ids: sets[at]?.map((one) => one.id) }
      return patiently(() => adminAt(stage, at + round).call('PUT', path, body))
    })
    if (answers.some(({ status }) => status !== 200)) throw new Error(`answers ${statusesOf(answers)}`)
    const now = text((await codes(stage, path)).map(({ code }) => code))
    if (!sets.some((set) => text(set.map(({ code }) => code)) === now)) {
      throw new Error(`the role carries ${now}`)
    }
  }
  const records = (await recordsOf(stage, 'role', String(id))).filter(
    ({ action }) => action === 'role.replace_permissions',
  )
  const now = text((await codes(stage, path)).map(({ code }) => code))
  const last = text(records.at(-1)?.detail['permissions']?.to)
  refuteNothing([
    ...brokenLinks(records, 'permissions'),
    ...(last === now ? [] : [`the log ends with ${last}, the role carries ${now}`]),
  ])
  return `${rounds} × ${width} sets at once: each time one of them stands whole; ${records.length} records, each from where the one before it ended`
}

const unlessEqual = (last: string, value: string): string[] =>
  last === value ? [] : [`the log ends with ${last}, the value is ${value}`]

/**
 * Many clients write one setting. Each record of the log starts from the value before, and the last one has the present
 * value.
 */
export const proveSetting = async (stage: Stage): Promise<string> => {
  const key = unique('race.')
  const path = `/settings/tenant/${key}`
  const rounds = stage.target.short ? 5 : 40
  for (let round = 0; round < rounds; round += 1) {
    const answers = await atOnce(width, (at) =>
      patiently(() => adminAt(stage, at).call('PUT', path, { value: unique('v') })),
    )
    if (answers.some(({ status }) => status !== 200)) throw new Error(`answers ${statusesOf(answers)}`)
  }
  const { value } = ok(await only(stage.admins).call('GET', path)) as { value: unknown }
  const records = await recordsOf(stage, 'setting', key)
  const last = records.at(-1)?.detail['value']?.to
  const created = records.filter(({ action }) => action === 'setting.create').length
  const isWhole = records.length === rounds * width && created === 1
  refuteNothing([
    ...brokenLinks(records, 'value'),
    ...unlessEqual(text(last), text(value)),
    ...(isWhole ? [] : [`${records.length} records, ${created} of them creations`]),
  ])
  return `${rounds} × ${width} writes of one key at once: ${records.length} records, one creation, each from where the one before it ended, the last with the value that stands`
}
