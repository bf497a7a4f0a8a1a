import { roundsOfCaller, type Round, type Server } from '../contender.ts'
import { email, username, usersInTurn } from '../operations.ts'
import { api, asCaller, get, post, put, rootEmail, type Caller } from '../service.ts'
import { query } from '../../lab/databases.ts'
import { asker, codes, codesOfRoles, ownQuestions, questions, rolesOfUsers, type Question } from './data.ts'

/** Tenantry with the data. */
export interface Deciding {
  server: Server
  /** The key of a service account that may ask about every user of the tenant. */
  key: string
  /** The ids of the first users, by their numbers. */
  userIds: number[]
}

const idsByCode = async (caller: Caller): Promise<Map<string, number>> => {
  const permissions: { id: number; code: string }[] = await get(caller, '/rbac/permissions')
  return new Map(permissions.map(({ id, code }) => [code, id]))
}

const createRole = async (caller: Caller, name: string, permissionIds: (number | undefined)[]) => {
  const { id }: { id: number } = await post(caller, '/rbac/roles', { name })
  await put(caller, `/rbac/roles/${id}/permissions`, { permission_ids: permissionIds })
  return id
}

const createKey = async (admin: Caller, permissionId: number | undefined): Promise<string> => {
  const { id }: { id: number } = await post(admin, '/service-accounts', { name: 'backend' })
  const roleId = await createRole(admin, 'Backend', [permissionId])
  await post(admin, `/rbac/users/${id}/roles`, { role_id: roleId })
  const { secret }: { secret: string } = await post(admin, `/service-accounts/${id}/keys`, { name: 'bench' })
  return secret
}

/** Gives the seeded users their roles by SQL: 20,000 requests would take a minute. */
const assignRoles = (databaseUrl: string, tenantId: string, roleIds: number[]) =>
  query(
    databaseUrl,
    `insert into user_roles (tenant_id, user_id, role_id)
     select $1, u.id, held.role_id
     from (select id, row_number() over (order by username) - 1 as number from users
           where tenant_id = $1 and username ~ '^user[0-9]{5}$') u
     join unnest($2::int[], $3::bigint[]) as held (number, role_id) using (number)`,
    [
      tenantId,
      rolesOfUsers.flatMap((roles, user) => roles.map(() => user)),
      rolesOfUsers.flatMap((roles) => roles.map((role) => roleIds[role])),
    ],
  )

const selectUserIds = async (databaseUrl: string, tenantId: string): Promise<number[]> => {
  const { rows } = await query(
    databaseUrl,
    `select id::int from users where tenant_id = $1 and username ~ '^user[0-9]{5}$' order by username limit $2`,
    [tenantId, usersInTurn],
  )
  return rows.map(({ id }: { id: number }) => id)
}

/** Adds permissions, roles and a key to a tenant with users. */
export const seedDecisions = async (
  server: Server,
  databaseUrl: string,
  { tenantId, callerAddress }: { tenantId: string; callerAddress: string },
): Promise<Deciding> => {
  const { url } = server
  const root = await asCaller(url, rootEmail)
  const { tenant_id: home }: { tenant_id: string } = await get(root, '/profile')
  for (const code of codes) {
    await post({ url, headers: { ...root.headers, 'x-tenant-id': home } }, '/rbac/permissions', {
      code,
      name: code,
    })
  }
  const admin = await asCaller(url, callerAddress, tenantId)
  const ids = await idsByCode(admin)
  const roleIds: number[] = []
  for (const [role, list] of codesOfRoles.entries()) {
    roleIds.push(
      await createRole(
        admin,
        `Decider ${role}`,
        list.map((code) => ids.get(code)),
      ),
    )
  }
  await assignRoles(databaseUrl, tenantId, roleIds)
  await query(databaseUrl, 'vacuum analyze')
  const key = await createKey(admin, ids.get('authz:check'))
  return { server, key, userIds: await selectUserIds(databaseUrl, tenantId) }
}

const bodyOf = ({ permission }: Question, userId?: number) => ({
  permissions: [permission],
  ...(userId === undefined ? {} : { user_id: userId }),
})

/** Throws unless the service answers every question as the data does. */
const expectAnswers = async (caller: Caller, asked: Question[], bodies: unknown[]): Promise<void> => {
  for (const [at, { isAllowed, ...question }] of asked.entries()) {
    const { allowed }: { allowed: boolean } = await post(caller, '/authz/check', bodies[at])
    if (allowed !== isAllowed) throw new Error(`wrong answer: ${JSON.stringify(question)}`)
  }
}

/** One's own profile, questions about oneself, and questions of a key about others. */
export const roundsOfTenantry = async ({ server, key, userIds }: Deciding) => {
  const { url } = server
  const asUser = () => asCaller(url, email(username(asker)))
  const asKey: Caller = { url, headers: { authorization: `Bearer ${key}` } }
  const own = ownQuestions.map((question) => bodyOf(question))
  const others = questions.map((question) => bodyOf(question, userIds[question.user]))
  await expectAnswers(await asUser(), ownQuestions, own)
  await expectAnswers(asKey, questions, others)
  const user = roundsOfCaller(server, async () => (await asUser()).headers, api)
  const backend = roundsOfCaller(server, async () => asKey.headers, api)
  const checking = (bodies: unknown[]) =>
    bodies.map((body) => ({ method: 'POST', path: '/authz/check', body }) as const)
  return {
    profile: user.reading('/profile'),
    own: user.sending(checking(own)),
    others: backend.sending(checking(others)),
  } satisfies Record<string, Round>
}
