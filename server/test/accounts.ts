/** Accounts for the tests of signing in: new ones, imported ones, and their stored hashes and audit records. */
import { randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import { password, platformAdmin, unique, type Caller } from './factories.ts'
import { call, parts, type Answer, type Call } from './harness.ts'
import type { StoredPassword } from '../src/crypto/passwords.ts'
import { builtInTenant } from '../src/access/permissions.ts'
import { fold } from '../src/values/text.ts'

/** Credentials of a new account. */
export const credentials = (prefix = 'a') => {
  const username = unique(prefix)
  return { email: `${username}@example.com`, username, password }
}

export const postRegister = (body: unknown, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/register', { ...options, body })

/** A secret or key with another last character. */
export const mistyped = (text: string): string => `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`

/** The address of a client behind a trusted proxy, of no other test or run: counters outlive both in a shared Redis. */
export const newSource = (): Record<string, string> => ({
  'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
})

export const postLogin = (email: string, withPassword = password, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/login', { ...options, body: { email, password: withPassword } })

export const postRefresh = (refreshToken: string, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/refresh', { ...options, body: { refresh_token: refreshToken } })

/** The status of the cheapest call that needs a living access token. */
export const pingStatus = async (token: string): Promise<number> => {
  const { status } = await call('GET', '/ping', { token })
  return status
}

type Member = Pick<Caller, 'userId' | 'tenantId'>

/** The audit records of a user, oldest first. */
export const recordsOf = async ({ userId, tenantId }: Member): Promise<Record<string, unknown>[]> => {
  const root = await platformAdmin()
  const { data } = await root.get(`/audit/logs?user_id=${userId}&page_size=200`, { tenant: tenantId })
  return data.items.toReversed()
}

export const actionsOf = async (user: Member): Promise<unknown[]> =>
  (await recordsOf(user)).map(({ action }) => action)

/** The stored hash of a password. */
export const storedPassword = async (email: string): Promise<StoredPassword | undefined> =>
  parts.store.scoped({}).one<StoredPassword>(sql`
    select password_hash, password_scheme from accounts where email_folded = ${fold(email)}`)

/** Imports a user of another system with their hash by SQL. */
export const importUser = async (passwordHash: string, tenantId: string = builtInTenant.id) => {
  const { email, username } = credentials('imported')
  const userId = await parts.store.transaction({ tenantId }, async (db) => {
    const account = await db.one<{ id: number }>(sql`
      insert into accounts (email, email_folded, password_hash, password_scheme)
      values (${email}, ${fold(email)}, ${passwordHash}, 'foreign')
      returning id`)
    const user = await db.one<{ id: number }>(sql`
      insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
      values (${tenantId}, ${account?.id}, ${email}, ${username}, ${fold(username)},
        ${fold(`${username}\n${email}\n`)}, now(), now())
      returning id`)
    return user?.id ?? 0
  })
  return { userId, tenantId, email, username }
}
