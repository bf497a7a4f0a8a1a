import { addRole, patiently } from '../../attack.ts'
import { newTenant, newUser, ok, request, unique, type Session } from '../../client.ts'
import { mailedToken, readsMail } from '../../mail-folder.ts'
import type { Prove } from '../../suite.ts'
import { idsOf, userWith, type Stage } from './stage.ts'

const password = 'a proof of Tenantry'

const accept = ({ target }: Stage, body: object) =>
  patiently(() =>
    request(target.url, 'POST', '/api/v1/auth/invitations/accept', {
      body: { username: unique('invited'), password, ...body },
    }),
  )

const invite = async (
  stage: Stage,
  by: Session,
  body: { email: string; role_ids?: number[] },
  used?: string,
) => {
  ok(await patiently(() => by.call('POST', '/invitations', body)))
  return mailedToken(stage.target, body.email, used)
}

const address = () => `${unique('invited')}@example.com`

/** The inviter loses a permission after inviting: the accepted user has no role that carries it. */
const proveLoss = async (stage: Stage): Promise<string> => {
  const { root, tenant, permissions } = stage
  const held = idsOf(permissions, ['user:create', 'audit:read'])
  const { user: inviter, role } = await userWith(root, tenant, held)
  const strong = await addRole(root, tenant, {
    name: unique('strong '),
    permissions: idsOf(permissions, ['audit:read']),
  })
  const token = await invite(stage, inviter, { email: address(), role_ids: [strong] })
  const left = { permission_ids: idsOf(permissions, ['user:create']) }
  ok(await root.call('PUT', `/rbac/roles/${role}/permissions`, left, { tenant }))
  const { access_token: access } = ok(await accept(stage, { token }))
  const { status } = await request(stage.target.url, 'GET', '/api/v1/audit/logs', { token: access })
  if (status !== 403) throw new Error(`the invited user reads the audit log: ${status}`)
  return 'a role whose permission the inviter lost was dropped'
}

/** An account that an administrator made gains no membership by the password that the administrator knows. */
const proveOwnership = async (stage: Stage): Promise<string> => {
  const { root, tenant } = stage
  const prepared = await newUser(root, stage.otherTenant)
  const token = await invite(stage, stage.admin, { email: prepared.email })
  const answer = await accept(stage, { token, password: prepared.password })
  if (answer.status !== 400) {
    throw new Error(`a prepared account joins ${tenant}: ${answer.status} ${answer.text}`)
  }
  return 'an account without an owner was refused'
}

/** A session that a switch opened ends with the logout of the one it came from. */
const proveSwitch = async (stage: Stage): Promise<string> => {
  const { target, root } = stage
  const other = await newTenant(root)
  const email = address()
  const call = (method: string, path: string, token: string, body?: object) =>
    patiently(() => request(target.url, method, `/api/v1${path}`, { token, body }))
  const token = await invite(stage, stage.admin, { email })
  const first = ok(await accept(stage, { token }))
  const next = await invite(stage, other.admin, { email }, token)
  const joined = ok(await accept(stage, { token: next }))
  const switched = ok(await call('POST', '/auth/switch', joined.access_token, { tenant_id: stage.tenant }))
  ok(await call('POST', '/auth/logout', joined.access_token))
  const { status } = await call('GET', '/profile', switched.access_token)
  const { status: own } = await call('GET', '/profile', first.access_token)
  ok(await root.call('DELETE', `/org/tenants/${other.id}`))
  if (status !== 401) throw new Error(`a switched session answers ${status} after the logout`)
  if (own !== 200) throw new Error(`a session of another sign-in answers ${own}`)
  return 'the logout ended the switched session, and no other one'
}

/** Needs e-mails that the proof can read. */
export const proveInvitations = async (stage: Stage, record: Prove): Promise<void> => {
  if (!readsMail(stage.target)) return
  await record('an invitation carries no permission that its inviter has lost', () => proveLoss(stage))
  await record('an account without an owner gains no membership', () => proveOwnership(stage))
  await record('a switched session ends with the logout of the one it came from', () => proveSwitch(stage))
}
