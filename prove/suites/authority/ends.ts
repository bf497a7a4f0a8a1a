/** Assignments with an end, at replicas whose clocks differ. */
import { setTimeout as sleep } from 'node:timers/promises'
import { newUser, ok, type Answer, type Session } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { unlessCode, type Stage } from '../people/stage.ts'
import { boundMs, codes, inMinutes, moveTime, newCompany, newRole, type Company } from './stage.ts'

const lifeMs = 4000
/** The time of a request, and of the statement that moves the end. */
const slackMs = 300

interface Ending {
  company: Company
  holder: Session
  role: number
  /** By `performance.now`. */
  endsAt: number
}

/** A user whose one permission ends in four seconds of the database. */
const newEnding = async (stage: Stage): Promise<Ending> => {
  const company = await newCompany(stage)
  const holder = await newUser(stage.root, company.id)
  const role = await newRole(stage, company.id, ['user:read'])
  const body = { role_id: role, expires_at: inMinutes(30) }
  ok(await company.admin.call('POST', `/rbac/users/${holder.userId}/roles`, body))
  for (const url of stage.urls) ok(await holder.at(url).call('GET', '/users'))
  await moveTime(
    stage,
    `update user_roles set expires_at = statement_timestamp() + $1 * interval '1 millisecond'
     where tenant_id = $2 and user_id = $3 and role_id = $4`,
    [lifeMs, company.id, holder.userId, role],
  )
  return { company, holder, role, endsAt: performance.now() + lifeMs }
}

/** Asks a replica until the bound is over. Returns what it answers too early and too late. */
const watch = async ({ holder, endsAt }: Ending, url: string): Promise<string[]> => {
  const breaches: string[] = []
  while (performance.now() < endsAt + boundMs + slackMs) {
    const sentAt = performance.now() - endsAt
    const { status } = await holder.at(url).call('GET', '/users')
    const isEarly = status !== 200 && performance.now() - endsAt < -slackMs
    const isLate = status !== 403 && sentAt > boundMs
    if (isEarly || isLate) breaches.push(`${url} answers ${status} at ${Math.round(sentAt)} ms of the end`)
    await sleep(50)
  }
  return breaches
}

interface Page {
  items: { role: { id: number } }[]
}

/** Lists and decisions of every replica, when the end is over. */
const traces = async (stage: Stage, { company, holder, role }: Ending): Promise<string[]> => {
  const breaches: string[] = []
  for (const url of stage.urls) {
    const admin = company.admin.at(url)
    const held = ok(await admin.call('GET', `/rbac/users/${holder.userId}/roles`)) as { id: number }[]
    const { total } = ok(await admin.call('GET', `/rbac/roles/${role}/users`))
    const { items } = ok(await admin.call('GET', `/rbac/assignments?user_id=${holder.userId}`)) as Page
    const { allowed } = ok(await holder.at(url).call('POST', '/authz/check', { permissions: ['user:read'] }))
    const isThere = held.some(({ id }) => id === role) || items.some((one) => one.role.id === role)
    if (isThere || total !== 0 || allowed) breaches.push(`an ended assignment is in a list of ${url}`)
  }
  return breaches
}

const clocks = async (stage: Stage): Promise<string> => {
  const ahead = [0, 5, -5]
  for (const seconds of ahead) {
    await stage.setAhead(seconds)
    const ending = await newEnding(stage)
    const found = await Promise.all(stage.urls.map((url) => watch(ending, url)))
    const breaches = [...found.flat(), ...(await traces(stage, ending))]
    refuteNothing(breaches.map((breach) => `with a clock ${seconds} s ahead ${breach}`))
  }
  await stage.setAhead(0)
  return `${ahead.length} ends at ${stage.urls.length} replicas, the first with its clock 5 s ahead and behind`
}

interface Entry {
  id: number
  user_id: number
  action: string
  resource_id: string
}

const recordsOf = async ({ admin }: Company, giver: Session): Promise<Entry[]> => {
  const { items } = ok(await admin.call('GET', `/audit/logs?page_size=100`)) as { items: Entry[] }
  return items.filter(
    ({ user_id: by, action }) =>
      (by === giver.userId && action === 'role.assign') || action === 'role.change_end',
  )
}

/** An administrator shortens what somebody holds, while they give it on. */
const shortened = async (stage: Stage): Promise<string> => {
  const rounds = stage.short ? 5 : 30
  const company = await newCompany(stage)
  const role = await newRole(stage, company.id, ['role:assign', 'user:read', 'dashboard:read'])
  const given = await newRole(stage, company.id, ['user:read'])
  let refused = 0
  for (let round = 0; round < rounds; round += 1) {
    const [giver, heir] = [await newUser(stage.root, company.id), await newUser(stage.root, company.id)]
    const path = `/rbac/users/${giver.userId}/roles`
    ok(await company.admin.call('POST', path, { role_id: role }))
    const gifts = stage.urls.map((url): Promise<Answer> => {
      const there = giver.at(url)
      return there.call('POST', `/rbac/users/${heir.userId}/roles`, { role_id: given })
    })
    const end = company.admin.call('PUT', `${path}/${role}`, { expires_at: inMinutes(30) })
    const [ended, ...answers] = await Promise.all([end, ...gifts])
    ok(ended)
    const records = await recordsOf(company, giver)
    const [newest] = records.filter(({ action }) => action === 'role.change_end')
    const late = records.filter((one) => one.action === 'role.assign' && one.id > (newest?.id ?? 0))
    if (late.length > 0) throw new Error('a gift without an end is later than the end of its giver')
    if (answers.every(({ status }) => status !== 200)) refused += 1
    const other = await newUser(stage.root, company.id)
    const again = await giver.call('POST', `/rbac/users/${other.userId}/roles`, { role_id: given })
    refuteNothing(unlessCode('a gift after the end is shorter', again, codes.grantOutlastsOwn))
  }
  return `${rounds} gifts at once with the end of what their giver holds; ${refused} came too late`
}

export const proveEnds = async (stage: Stage, record: Prove): Promise<void> => {
  if (stage.urls.length > 1) {
    await record('an ended assignment counts at no replica, whatever its clock', () => clocks(stage))
  }
  await record('a giver whose end comes at once gives nothing beyond it', () => shortened(stage))
}
