/** Elevations: the session in which they count, and their ends. */
import { ok, openedBy, type Answer, type Session } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { anyone, newAddress, unlessCode, type Stage } from '../people/stage.ts'
import {
  careful,
  codes,
  followed,
  newCompany,
  newRole,
  refusedEverywhere,
  signInAgain,
  userWith,
  type Careful,
  type Company,
} from './stage.ts'

interface Elevated {
  company: Company
  user: Careful
  role: number
  id: number
}

const start = (user: Session, role: number): Promise<Answer> =>
  user.call('POST', '/elevations', { role_id: role, minutes: 30, reason: 'A proof' })

/** Whether a session has the role. */
const readsAudit = (session: Session) => (url: string) => session.at(url).call('GET', '/audit/logs')

/** A user who has elevated the present session. */
const newElevated = async (stage: Stage, company: Company): Promise<Elevated> => {
  const user = await careful(await userWith(stage, company.id, ['user:read']))
  const role = await newRole(stage, company.id, ['audit:read'])
  const body = { role_id: role, max_minutes: 60 }
  ok(await company.admin.call('POST', `/rbac/users/${user.userId}/eligible-roles`, body))
  const early = await readsAudit(user)(stage.urls[0] ?? '')
  if (early.status !== 403) throw new Error(`eligibility alone answers ${early.status}`)
  const { id } = ok(await start(user, role))
  const found = await followed(stage, 'an elevated session', readsAudit(user), (status) => status === 200)
  refuteNothing(found)
  return { company, user, role, id }
}

/** The pair of a refresh, as a session. */
const refreshed = async (stage: Stage, session: Session): Promise<Session> => {
  const pair = ok(await anyone(stage, '/auth/refresh', { refresh_token: session.refreshToken }))
  return openedBy(session.base, pair, session)
}

const alone = async (stage: Stage): Promise<string> => {
  const company = await newCompany(stage)
  const { user } = await newElevated(stage, company)
  const second = await refreshed(stage, await signInAgain(stage, user))
  const breaches: string[] = []
  for (const url of stage.urls) {
    const { status } = await readsAudit(second)(url)
    if (status !== 403) breaches.push(`another session of the user answers ${status} at ${url}`)
    const question = { user_id: user.userId, permissions: ['audit:read'] }
    const { data } = await company.admin.at(url).call('POST', '/authz/check', question)
    if (data?.allowed !== false) breaches.push(`the user holds the role without the session at ${url}`)
  }
  const own = await refreshed(stage, user)
  const { status } = await readsAudit(own)(stage.urls[0] ?? '')
  if (status !== 200) breaches.push(`a refresh ends an elevation: ${status}`)
  refuteNothing(breaches)
  return `another session, refreshed, and a question about the user, at ${stage.urls.length} replicas`
}

type End = (elevated: Elevated) => Promise<Answer>

/** All that ends an elevation, besides its time. */
const ends: Record<string, End> = {
  'its person': ({ user, id }) => user.call('DELETE', `/elevations/${id}`),
  'an administrator': ({ company, id }) => company.admin.call('DELETE', `/elevations/${id}`),
  eligibility: ({ company, user, role }) =>
    company.admin.call('DELETE', `/rbac/users/${user.userId}/eligible-roles/${role}`),
  'its role': ({ company, role }) => company.admin.call('DELETE', `/rbac/roles/${role}`),
  'a removed factor': ({ user }) =>
    user.call('POST', `/auth/factors/${user.app.id}/remove`, { password: user.password }),
  'its session': ({ user }) => user.call('POST', '/auth/logout'),
}

const ended = async (stage: Stage): Promise<string> => {
  const company = await newCompany(stage)
  const breaches: string[] = []
  for (const [how, end] of Object.entries(ends)) {
    const elevated = await newElevated(stage, company)
    ok(await end(elevated))
    breaches.push(...(await refusedEverywhere(stage, `ended by ${how}`, readsAudit(elevated.user))))
  }
  refuteNothing(breaches)
  return `${Object.keys(ends).length} ends, followed by ${stage.urls.length} replicas`
}

/** Gifts of an elevated session must not outlast the elevation. */
const gifts = async (stage: Stage): Promise<string> => {
  const company = await newCompany(stage)
  const user = await careful(await userWith(stage, company.id, ['role:read']))
  const role = await newRole(stage, company.id, ['role:assign', 'user:read', 'user:create', 'dashboard:read'])
  const given = await newRole(stage, company.id, ['user:read'])
  const heir = await userWith(stage, company.id, [])
  const body = { role_id: role, max_minutes: 60 }
  ok(await company.admin.call('POST', `/rbac/users/${user.userId}/eligible-roles`, body))
  ok(await start(user, role))
  const tries: [string, object][] = [
    [`/rbac/users/${heir.userId}/roles`, { role_id: given }],
    [`/rbac/users/${user.userId}/roles`, { role_id: given }],
    ['/invitations', { email: newAddress(), role_ids: [given] }],
  ]
  const breaches: string[] = []
  for (const url of stage.urls) {
    for (const [path, gift] of tries) {
      const answer = await user.at(url).call('POST', path, gift)
      breaches.push(...unlessCode(`${path} at ${url}`, answer, codes.grantOutlastsOwn))
    }
  }
  refuteNothing(breaches)
  return `${tries.length} gifts of an elevated session at ${stage.urls.length} replicas`
}

/** Requests at once for one elevation. */
const once = async (stage: Stage): Promise<string> => {
  const rounds = stage.short ? 2 : 8
  const company = await newCompany(stage)
  for (let round = 0; round < rounds; round += 1) {
    const user = await careful(await userWith(stage, company.id, []))
    const role = await newRole(stage, company.id, ['audit:read'])
    const body = { role_id: role, max_minutes: 60 }
    ok(await company.admin.call('POST', `/rbac/users/${user.userId}/eligible-roles`, body))
    const urls = [...stage.urls, ...stage.urls]
    const answers = await Promise.all(urls.map((url) => start(user.at(url), role)))
    const won = answers.filter(({ status }) => status === 200).length
    if (won !== 1) throw new Error(`${won} elevations of one session begin at once`)
  }
  return `${rounds} sessions, each elevated by requests at once at ${stage.urls.length} replicas`
}

export const proveElevations = async (stage: Stage, record: Prove): Promise<void> => {
  await record('an elevation counts in its session alone', () => alone(stage))
  await record('an elevation ends with eligibility, role, factor and session', () => ended(stage))
  await record('an elevated session gives nothing that outlasts it', () => gifts(stage))
  await record('of elevations at once in one session one begins', () => once(stage))
}
