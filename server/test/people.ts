/** People of one or several tenants, made by invitations as an administrator would. */
import sql from 'sql-template-tag'
import { fold } from '../src/values/text.ts'
import { ok, password, unique, type Caller, type Tenant } from './factories.ts'
import { call, parts, startApp, type Answer, type Call, type Running } from './harness.ts'
import type { MailServer } from '../../lab/mail-server.ts'
import { deliver } from './mail-queue.ts'

export const lookUp = (token: string): Promise<Answer> =>
  call('POST', '/auth/invitations/lookup', { body: { token } })

/** Accepts an invitation under a new username, unless the body names one. */
export const accept = (token: string, body: object, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/invitations/accept', { ...options, body: { token, username: unique('i'), ...body } })

/** Invites an address; returns the id of the invitation and the token that was mailed. */
export const invite = async (
  server: MailServer,
  admin: Caller,
  body: { email: string; role_ids?: number[]; roles_expire_at?: string; nickname?: string },
): Promise<{ id: number; token: string }> => {
  const { id } = ok(await admin.post('/invitations', body))
  await deliver(server)
  return {
    id,
    token: server.to(body.email).findLast(({ link }) => link?.includes('invitation'))?.token ?? '',
  }
}

/** A replica that sends no e-mails; all test files of a process share it. */
let mailless: Promise<Running> | undefined

/** The token of an invitation whose link was shown instead of mailed. */
export const inviteShown = async (admin: Caller, email = `${unique('i')}@example.com`): Promise<string> => {
  mailless ??= startApp({}, undefined, { mailer: undefined })
  const { link } = ok(await admin.post('/invitations', { email }, { at: await mailless }))
  return link.split('#token=')[1]
}

/** The subject of a pair of tokens. */
export const claimsOf = (token: string): { userId: number; tenantId: string; sessionId: string } => {
  const { sub, tid, sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string
    tid: string
    sid: string
  }
  return { userId: Number(sub), tenantId: tid, sessionId: sid }
}

/** A person whose account has an owner, signed in to a tenant. */
export interface Person {
  email: string
  userId: number
  tenantId: string
  token: string
  refreshToken: string
}

const personOf = (email: string, { data }: Answer): Person => {
  const { userId, tenantId } = claimsOf(data.access_token)
  return { email, userId, tenantId, token: data.access_token, refreshToken: data.refresh_token }
}

/** A new person who has accepted an invitation. */
export const newPerson = async (server: MailServer, { admin }: Tenant): Promise<Person> => {
  const email = `${unique('p')}@example.com`
  const { token } = await invite(server, admin, { email })
  const answer = await accept(token, { password })
  ok(answer)
  return personOf(email, answer)
}

/** Makes a person a user of another tenant as well, signed in there by the password. */
export const joinTenant = async (
  server: MailServer,
  { email }: Pick<Person, 'email'>,
  { admin }: Tenant,
): Promise<Person> => {
  const { token } = await invite(server, admin, { email })
  const answer = await accept(token, { password })
  ok(answer)
  return personOf(email, answer)
}

/** Makes a person a user of another tenant by SQL, also one whose account has no owner. Returns the id there. */
export const insertMember = async (
  { email, username, tenantId: home }: Pick<Caller, 'email' | 'username' | 'tenantId'>,
  { id: tenantId }: Pick<Tenant, 'id'>,
): Promise<number> => {
  const account = await parts.store
    .scoped({ tenantId: home })
    .one<{ id: number }>(sql`select id from accounts where email = ${email}`)
  const row = await parts.store.transaction({ tenantId }, (db) =>
    db.one<{ id: number }>(sql`
      insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
      values (${tenantId}, ${account?.id}, ${email}, ${username}, ${fold(username)}, ${fold(`${username}\n${email}\n`)},
        now(), now())
      returning id`),
  )
  return row?.id ?? 0
}
