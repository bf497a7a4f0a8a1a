/** The ends of support sessions. */
import { ok, roleId, type Answer, type Session } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import type { Stage } from '../people/stage.ts'
import {
  moveTime,
  newCompany,
  newStaff,
  refusedEverywhere,
  signInAgain,
  userWith,
  within,
  type Company,
} from './stage.ts'
import { openSupport, sessions, type Supported } from './support-stage.ts'

interface Open extends Supported {
  stage: Stage
  id: string
  session: Session
}

type End = (open: Open) => Promise<Answer>

const platformRole = ({ root }: Stage): Promise<number> => roleId(root, root.tenantId, 'platform-admin')

const byRoot = ({ stage: { root }, staff }: Open, method: string, rest: string, body?: object) =>
  root.call(method, `/users/${staff.userId}${rest}`, body)

/** Every reason but time. */
const reasons: Record<string, End> = {
  'the user': ({ user, id }) => user.call('DELETE', `${sessions}/${id}`),
  'the actor': ({ staff, company, id }) => within(staff, company.id).call('DELETE', `${sessions}/${id}`),
  'who may allow': ({ company, id }) => company.admin.call('DELETE', `${sessions}/${id}`),
  'its own logout': ({ session }) => session.call('POST', '/auth/logout'),
  "the actor's logout": ({ staff }) => staff.call('POST', '/auth/logout'),
  "the actor's new password": async ({ stage, staff: { password: old, ...staff } }) => {
    const other = await signInAgain(stage, { ...staff, password: old })
    return other.call('POST', '/password', { old_password: old, new_password: `${old}!` })
  },
  "the actor's lost role": async ({ stage, staff }) =>
    stage.root.call('DELETE', `/rbac/users/${staff.userId}/roles/${await platformRole(stage)}`),
  'the disabled actor': (open) => byRoot(open, 'PUT', '', { status: 0 }),
  'the removed actor': (open) => byRoot(open, 'DELETE', ''),
  "the actor's ended sessions": (open) => byRoot(open, 'DELETE', '/sessions'),
  "the user's ended sessions": ({ company, user }) =>
    company.admin.call('DELETE', `/users/${user.userId}/sessions`),
  'the disabled user': ({ company, user }) =>
    company.admin.call('PUT', `/users/${user.userId}`, { status: 0 }),
  'the removed user': ({ company, user }) => company.admin.call('DELETE', `/users/${user.userId}`),
  'support that is off': ({ company }) =>
    company.admin.call('PUT', '/settings/tenant/auth.support_access', { value: 'off' }),
  'the disabled tenant': ({ stage, company }) =>
    stage.root.call('PUT', `/org/tenants/${company.id}`, { status: 0 }),
}

const asksAs = (session: Session) => (url: string) => session.at(url).call('GET', '/users')

const open = async (stage: Stage, company: Company): Promise<Open> => {
  const user = await userWith(stage, company.id, ['user:read'])
  const scene = { company, user, staff: await newStaff(stage) }
  const { id, session } = await openSupport(scene)
  for (const url of stage.urls) ok(await asksAs(session)(url))
  return { stage, ...scene, id, session }
}

/** The end by time, of the database. */
const byTime = async (stage: Stage, company: Company): Promise<string[]> => {
  const { id, session } = await open(stage, company)
  await moveTime(
    stage,
    `update support_sessions set ends_at = statement_timestamp() + interval '1 second'
     where tenant_id = $1 and id = $2`,
    [company.id, id],
  )
  const early = await asksAs(session)(stage.urls[0] ?? '')
  if (early.status !== 200) return [`a session with a second left answers ${early.status}`]
  return refusedEverywhere(stage, 'ended by time', asksAs(session))
}

/** An end at one replica, while another one writes in the session. */
const race = async (stage: Stage): Promise<string[]> => {
  const company = await newCompany(stage)
  const user = await userWith(stage, company.id, ['setting:update'])
  const { id, session } = await openSupport({ company, user, staff: await newStaff(stage) })
  const write = (url: string, n: number) =>
    session.at(url).call('PUT', `/settings/tenant/race.n${n}`, { value: n })
  const writes = Array.from({ length: 8 }, (_none, n) => write(stage.urls[n % stage.urls.length] ?? '', n))
  const [ended] = await Promise.all([user.call('DELETE', `${sessions}/${id}`), ...writes])
  ok(ended)
  const { items } = ok(await company.admin.call('GET', '/audit/logs?page_size=100')) as {
    items: { id: number; action: string; detail: { support?: { id: string } } }[]
  }
  const end = items.find(({ action }) => action === 'support.end')
  const late = await Promise.all(stage.urls.map((url) => write(url, 9)))
  const passed = late.filter(({ status }) => status === 200).map(() => 'a write after the end passes')
  return end === undefined ? ['the end has no record', ...passed] : passed
}

export const supportEnds = async (stage: Stage): Promise<string> => {
  const breaches: string[] = []
  if (stage.urls.length > 1) breaches.push(...(await byTime(stage, await newCompany(stage))))
  for (const [how, end] of Object.entries(reasons)) {
    const opened = await open(stage, await newCompany(stage))
    ok(await end(opened))
    breaches.push(...(await refusedEverywhere(stage, `ended by ${how}`, asksAs(opened.session))))
  }
  const rounds = stage.short ? 2 : 10
  for (let round = 0; round < rounds; round += 1) breaches.push(...(await race(stage)))
  refuteNothing(breaches)
  const all = Object.keys(reasons).length + (stage.urls.length > 1 ? 1 : 0)
  return `${all} ends at ${stage.urls.length} replicas, and ${rounds} during writes`
}
