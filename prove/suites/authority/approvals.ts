/** Approvals: the changes that wait for them, and how they are used. */
import { newUser, ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { assign, refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { idsOf } from '../escalation/stage.ts'
import { newAddress, password, unlessCode, type Stage } from '../people/stage.ts'
import type { Provider } from '../sso/provider.ts'
import { addAdmin, careful, codes, draftOf, newCompany, newRole, userWith, type Company } from './stage.ts'

/** A tenant with policies. Two administrators ask and decide. */
export interface Policed {
  company: Company
  asker: Session
  decider: Session
}

/** Sets policies after `prepare`: they cover staff as well. */
export const withPolicies = async <T = undefined>(
  stage: Stage,
  operations: string[],
  prepare?: (company: Company, decider: Session) => Promise<T>,
): Promise<Policed & { prepared: T }> => {
  const company = await newCompany(stage)
  const decider = await addAdmin(stage, company.id)
  await addAdmin(stage, company.id)
  const prepared = (await prepare?.(company, decider)) as T
  const [first = '', ...rest] = operations
  const body = { approvals: 1 }
  ok(await company.admin.call('PUT', `/approval-policies/${first}`, body))
  for (const operation of rest) {
    const path = `/approval-policies/${operation}`
    const asked = await approved({ company, asker: company.admin, decider }, 'PUT', path, body)
    ok(await company.admin.call('PUT', path, body, carrying(asked)))
  }
  return { company, asker: company.admin, decider, prepared }
}

export interface Asked {
  id: number
  digest: string
}

export const carrying = ({ id }: Asked) => ({ headers: { 'x-approval-id': String(id) } })

export const askFor = async (asker: Session, method: string, path: string, body?: object): Promise<Asked> =>
  ok(await asker.call('POST', '/approvals', { method, path, body, reason: 'A proof' }))

export const decide = (by: Session, { id, digest }: Asked, approve = true): Promise<Answer> =>
  by.call('POST', `/approvals/${id}/decide`, { approve, digest })

const approved = async (
  { asker, decider }: Policed,
  ...[method, path, body]: [string, string, object?]
): Promise<Asked> => {
  const asked = await askFor(asker, method, path, body)
  ok(await decide(decider, asked))
  return asked
}

type Door = [method: string, path: string, body: object]

/** Doors that give somebody a permission, by a role without an end. */
const givers = async (stage: Stage, { id }: Company, provider: Provider): Promise<Door[]> => {
  const [heir, role] = [await newUser(stage.root, id), await newRole(stage, id, ['user:delete'])]
  const own = await newRole(stage, id, [])
  const at = `/rbac/users/${heir.userId}`
  const draft = draftOf(provider)
  return [
    ['POST', `${at}/roles`, { role_id: role }],
    ['POST', `${at}/eligible-roles`, { role_id: role, max_minutes: 60 }],
    ['POST', `/rbac/roles/${role}/users`, { user_ids: [heir.userId], held: true }],
    ['PUT', `/rbac/roles/${own}/permissions`, { permission_ids: idsOf(stage.permissions, ['user:delete']) }],
    ['POST', '/invitations', { email: newAddress(), role_ids: [role] }],
    ['POST', '/users/import', { rows: [{ email: newAddress(), role_ids: [role] }] }],
    ['POST', '/connections', { ...draft, default_role_ids: [role] }],
    ['POST', '/connections', { ...draft, group_mappings: [{ group: 'staff', role_id: role }] }],
    ['POST', '/setup-links', { email: newAddress(), parts: ['connection'], role_ids: [role] }],
  ]
}

/** Doors that take a user out. */
const takers = async (stage: Stage, { id, admin }: Company, decider: Session): Promise<Door[]> => {
  const user = await userWith(stage, id, [])
  const robot = ok(await admin.call('POST', '/service-accounts', { name: unique('robot') })).id as number
  return [
    ['PUT', `/users/${user.userId}`, { status: 0 }],
    ['POST', '/users/status', { user_ids: [user.userId], status: 0 }],
    ['DELETE', `/users/${user.userId}`, {}],
    ['POST', '/users', { email: newAddress(), username: unique('u'), password }],
    ['POST', `/service-accounts/${robot}/keys`, { name: 'a proof' }],
    ['PUT', `/users/${decider.userId}`, { email: newAddress() }],
    ['DELETE', `/users/${decider.userId}/factors`, {}],
    ['POST', `/users/${decider.userId}/password-reset`, {}],
    ['POST', `/users/${decider.userId}/password-expiry`, {}],
    ['PUT', '/settings/tenant/auth.ways', { value: {} }],
    ['POST', '/webhooks', { url: 'https://hooks.example.com/any', events: ['*'] }],
    ['DELETE', '/approval-policies/user.delete', {}],
    ['PUT', '/approval-policies/user.create', { approvals: 1, break_glass: true }],
  ]
}

const covered = [
  'authority.give',
  'user.create',
  'user.disable',
  'user.delete',
  'key.create',
  'setting.security',
  'webhook.change',
]

/** An answer for each row, of which none passed. */
const isRowsRefused = ({ status, data }: Answer): boolean =>
  status === 200 &&
  data?.results?.every((row: { status: string }) => !['created', 'changed'].includes(row.status))

const doors = async (stage: Stage, provider: Provider): Promise<string> => {
  const { asker, prepared } = await withPolicies(stage, covered, async (company, decider) => [
    ...(await givers(stage, company, provider)),
    ...(await takers(stage, company, decider)),
  ])
  const breaches: string[] = []
  for (const url of stage.urls) {
    for (const [method, path, body] of prepared) {
      const answer = await asker.at(url).call(method, path, body)
      if (isRowsRefused(answer)) continue
      breaches.push(...unlessCode(`${method} ${path}`, answer, codes.approvalNeeded))
    }
  }
  refuteNothing(breaches)
  return `${prepared.length} doors at ${stage.urls.length} replicas, under ${covered.length} policies`
}

const hook = () => ({ url: `https://hooks.example.com/${unique('h')}`, events: ['*'] })

/** Uses of one approval at once, and for something else. */
const once = async (stage: Stage): Promise<string> => {
  const policed = await withPolicies(stage, ['webhook.change'])
  const { asker, decider } = policed
  const rounds = stage.short ? 3 : 20
  const breaches: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const body = hook()
    const asked = await approved(policed, 'POST', '/webhooks', body)
    const other = await asker.call('POST', '/webhooks', hook(), carrying(asked))
    breaches.push(...unlessCode('another change', other, codes.approvalOutdated))
    const stolen = await decider.call('POST', '/webhooks', body, carrying(asked))
    if (stolen.status === 200) breaches.push('somebody else uses an approval')
    const urls = [...stage.urls, ...stage.urls]
    const uses = await Promise.all(
      urls.map((url) => asker.at(url).call('POST', '/webhooks', body, carrying(asked))),
    )
    const won = uses.filter(({ status }) => status === 200).length
    if (won !== 1) breaches.push(`an approval counts ${won} times`)
  }
  const made = ok(await asker.call('GET', '/webhooks')).length as number
  if (made !== rounds) breaches.push(`${made} changes by ${rounds} approvals`)
  refuteNothing(breaches)
  return `${rounds} approvals, each used at once at ${stage.urls.length} replicas, by another, and for another change`
}

/** Decisions by those who must not decide, and about a change that no decider has seen. */
const deciders = async (stage: Stage): Promise<string> => {
  const { asker, decider, prepared } = await withPolicies(stage, ['authority.give'], async ({ id }) => ({
    role: await newRole(stage, id, ['user:delete']),
    low: await userWith(stage, id, ['approval:read']),
    member: await newUser(stage.root, id),
  }))
  const { role, low, member } = prepared
  const path = `/rbac/users/${decider.userId}/roles`
  const concerning = await askFor(asker, 'POST', path, { role_id: role })
  const asked = await askFor(asker, 'POST', `/rbac/users/${member.userId}/roles`, { role_id: role })
  const breaches: string[] = []
  for (const url of stage.urls) {
    breaches.push(
      ...unlessCode('the requester', await decide(asker.at(url), asked), codes.ownApproval),
      ...unlessCode('the one concerned', await decide(decider.at(url), concerning), codes.ownApproval),
      ...unlessCode('who may not decide', await decide(low.at(url), asked), codes.permissionMissing),
      ...unlessCode(
        'another digest',
        await decide(decider.at(url), { ...asked, digest: 'ab'.repeat(32) }),
        codes.approvalOutdated,
      ),
    )
  }
  const [approval, rejection] = await Promise.all([
    decide(decider, asked),
    decide(decider.at(stage.urls.at(-1) ?? ''), asked, false),
  ])
  const won = [approval, rejection].filter(({ status }) => status === 200).length
  if (won !== 1) breaches.push(`${won} decisions of one person count`)
  refuteNothing(breaches)
  return `4 wrong decisions at ${stage.urls.length} replicas, and two at once by one person`
}

const lasting = ['approval:decide', 'webhook:manage']

interface Clerk {
  user: Session
  /** A permission, and the role that gives it. */
  lost: string
  role: number
}

/** A clerk for each permission, who holds it by a role of its own. */
const clerksOf = async (stage: Stage, { id }: Company): Promise<Clerk[]> => {
  const clerks: Clerk[] = []
  for (const lost of lasting) {
    const kept = lasting.filter((code) => code !== lost)
    const user = await careful(await userWith(stage, id, [...kept, 'audit:read', 'dashboard:read']))
    const role = await newRole(stage, id, [lost])
    await assign(stage.root, id, user.userId, role)
    clerks.push({ user, lost, role })
  }
  return clerks
}

/** The decider loses the permission to decide, or one that the change needs, before the use. */
const lost = async (stage: Stage): Promise<string> => {
  const policed = await withPolicies(stage, ['webhook.change'], (company) => clerksOf(stage, company))
  const { asker, prepared } = policed
  const breaches: string[] = []
  for (const { user, lost: code, role } of prepared) {
    const body = hook()
    const asked = await approved({ ...policed, decider: user }, 'POST', '/webhooks', body)
    ok(await asker.call('DELETE', `/rbac/users/${user.userId}/roles/${role}`))
    for (const url of stage.urls) {
      const answer = await asker.at(url).call('POST', '/webhooks', body, carrying(asked))
      breaches.push(...unlessCode(`without ${code} at ${url}`, answer, codes.approverMissing))
    }
  }
  refuteNothing(breaches)
  return `${prepared.length} permissions that an approver lost before the use`
}

export const proveApprovals = async (stage: Stage, provider: Provider, record: Prove): Promise<void> => {
  await record('no endpoint makes a covered change without an approval', () => doors(stage, provider))
  await record('an approval counts once, for the change that was seen', () => once(stage))
  await record('nobody decides about a change of their own, or one that they have not seen', () =>
    deciders(stage),
  )
  await record('an approval counts while its approver may decide and make the change', () => lost(stage))
}
