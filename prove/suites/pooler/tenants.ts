import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addUser, refuteNothing } from '../../attack.ts'
import { newTenant, ok, type Answer, type Session } from '../../../lab/client.ts'
import type { Group } from '../../replica-group.ts'

/** A tenant whose name is in everything that it owns. */
interface Marked {
  id: string
  slug: string
  admin: Session
  written: number
}

const tenantCount = 8
const usersPerTenant = 4
const clientsPerTenant = 3

const makeMarked = async (root: Session): Promise<Marked> => {
  const { id, slug, admin } = await newTenant(root)
  for (let n = 0; n < usersPerTenant; n += 1) await addUser(root, id, `${slug}-${n}`)
  ok(await admin.call('PUT', '/settings/tenant/mark', { value: slug }))
  ok(await admin.call('POST', '/rbac/roles', { name: `role of ${slug}` }))
  return { id, slug, admin, written: 0 }
}

const read = async (path: string, by: Session, expect: (data: any) => boolean): Promise<string[]> => {
  const answer = await by.call('GET', path)
  const isRight = answer.status === 200 && expect(answer.data)
  return isRight ? [] : [`GET ${path}: ${answer.status} ${answer.text.slice(0, 200)}`]
}

type Work = (own: Marked, by: Session) => Promise<string[]>

const works: Work[] = [
  ({ slug }, by) => read('/settings/tenant/mark', by, ({ value }) => value === slug),
  ({ slug }, by) =>
    read(
      '/users?page_size=50',
      by,
      ({ items, total }: { items: { username: string }[]; total: number }) =>
        total === usersPerTenant + 1 &&
        items.filter(({ username }) => username.startsWith(slug)).length === usersPerTenant,
    ),
  ({ slug }, by) =>
    read(
      '/rbac/roles',
      by,
      (roles: { name: string }[]) =>
        roles.length === 4 && roles.some(({ name }) => name === `role of ${slug}`),
    ),
  ({ id }, by) => read('/profile', by, ({ tenant_id: tenant }) => tenant === id),
  ({ slug, admin }, by) =>
    read(
      `/notifications/user/${admin.userId}?page_size=50`,
      by,
      ({ items }: { items: { title: string }[] }) => items.every(({ title }) => title.startsWith(slug)),
    ),
  async (own, by) => {
    const body = { user_id: by.userId, title: `${own.slug} ${own.written}`, content: own.slug }
    const answer = await by.call('POST', '/notifications', body)
    if (answer.status !== 200) return [`POST /notifications: ${answer.status} ${answer.text.slice(0, 200)}`]
    own.written += 1
    return []
  },
]

/** Looks in the pooler's sessions for state that a request has left. */
const lookForLeaks = async (url: string): Promise<string | undefined> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ found: string }>(
      `select concat_ws(' ', current_setting('role'), current_setting('app.tenant_id', true),
        current_setting('app.account_id', true), current_setting('statement_timeout')) as found`,
    )
    const found = rows[0]?.found.replaceAll(/ +/g, ' ').trim()
    return found === 'none 0' ? undefined : `a session of the pooler holds: ${found}`
  } finally {
    await client.end()
  }
}

const checkWritten = async ({ slug, admin, written }: Marked): Promise<string[]> => {
  const list: Answer = await admin.call('GET', `/notifications/user/${admin.userId}?page_size=1`)
  const { total } = ok(list) as { total: number }
  return total === written ? [] : [`${slug} wrote ${written} notifications and has ${total}`]
}

/** Clients of many tenants send requests at full speed to both replicas: each sees only its own data. */
export const proveApart = async (
  { root, urls }: Group,
  poolerUrl: string,
  loadMs: number,
): Promise<string> => {
  const tenants: Marked[] = []
  for (let n = 0; n < tenantCount; n += 1) tenants.push(await makeMarked(root))
  const breaches: string[] = []
  const until = performance.now() + loadMs
  let [requests, looks] = [0, 0]
  const client = async (own: Marked, lane: number): Promise<void> => {
    const by = own.admin.at(urls[lane % urls.length] ?? '')
    for (let turn = lane; performance.now() < until; turn += 1) {
      const work = works[turn % works.length]
      if (work) breaches.push(...(await work(own, by)))
      requests += 1
    }
  }
  const look = async (): Promise<void> => {
    for (; performance.now() < until; await sleep(20)) {
      const leak = await lookForLeaks(poolerUrl)
      if (leak !== undefined) breaches.push(leak)
      looks += 1
    }
  }
  await Promise.all([
    look(),
    ...tenants.flatMap((own) => Array.from({ length: clientsPerTenant }, (_, lane) => client(own, lane))),
  ])
  for (const own of tenants) breaches.push(...(await checkWritten(own)))
  refuteNothing(breaches)
  const written = tenants.reduce((sum, own) => sum + own.written, 0)
  return (
    `${requests} requests of ${tenantCount * clientsPerTenant} clients of ${tenantCount} tenants in ${loadMs / 1000} s ` +
    `at ${urls.length} replicas: all rows their own, ${written} writes each in its tenant; ${looks} looks into the ` +
    `pooler's sessions found neither scope nor role`
  )
}
