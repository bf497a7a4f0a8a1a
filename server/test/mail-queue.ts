/** The queue of e-mails, and its delivery. */
import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startMailServer, type MailServer } from '../../lab/mail-server.ts'
import type { Config } from '../src/config/config.ts'
import { createMailSender } from '../src/features/accounts/mail/sender.service.ts'
import { openMailer, type Mailer } from '../src/mail/mailer.ts'
import { platformAdmin, unique } from './factories.ts'
import { clock, parts } from './harness.ts'

const mailerOf = (config: Partial<Config>, log = parts.log): Mailer => {
  const mailer = openMailer({ ...parts.config, ...config }, log)
  if (!mailer) throw new Error('no mailer')
  return mailer
}

/** The mailer of a server at a port of this machine. */
export const mailerAt = (smtpUrl: string): Mailer => mailerOf({ smtpUrl })

/** The mailer of an installation on the embedded database without a mail server. */
export const fileMailer = (dataDir = parts.config.dataDir, log = parts.log): Mailer =>
  mailerOf({ databaseUrl: undefined, smtpUrl: undefined, dataDir }, log)

/** Sends the e-mails that are due as one replica, and waits for their end. Returns how many it took. */
export const sendDueMails = async (...of: Parameters<typeof createMailSender>): Promise<number> => {
  const sender = createMailSender(...of)
  let taken = 0
  for (let more = await sender.round(); more > 0; more = await sender.round()) taken += more
  await sender.settle()
  return taken
}

/** Sends all e-mails that are due by this server, one after the other: links first, then in the order of the queue. */
export const deliver = async ({ port }: Pick<MailServer, 'port'>): Promise<void> => {
  await sendDueMails({ ...parts, mailer: mailerAt(`smtp://127.0.0.1:${port}`) }, { slots: 1 })
}

/** Delivers, and returns the newest link for an address that proves its mailbox. */
export const proofMailedTo = async (
  server: MailServer,
  email: string,
): Promise<{ token: string; interaction: string | undefined }> => {
  await deliver(server)
  const proofs = server
    .to(email)
    .map(({ link = '' }) => /#proof=([\w-]+)(?:&interaction=([\w-]+))?/.exec(link))
  const [, token = '', interaction] = proofs.findLast((found) => found !== null) ?? []
  return { token, interaction }
}

export interface Waiting {
  id: string
  kind: string
  email: string
  attempts: number
  /** Milliseconds until the next attempt. */
  pauseMs: number
}

/** The e-mails that wait for an address. */
export const waitingFor = async (email: string): Promise<Waiting[]> => {
  const rows = await parts.store.scoped({}).many<Omit<Waiting, 'pauseMs'> & { next_attempt_at: Date }>(sql`
    select id, kind, email, attempts, next_attempt_at from mail_queue where email = ${email} order by created_at`)
  return rows.map(({ next_attempt_at: at, ...row }) => ({
    ...row,
    pauseMs: at.getTime() - clock.now().getTime(),
  }))
}

/** Other tests leave e-mails behind that nobody reads. */
export const clearQueue = () => parts.store.scoped({}).run(sql`delete from mail_queue`)

/** A living link of a user, as if it had been mailed to their address or another one; returns its token. */
export const insertLink = async (
  { userId, tenantId }: { userId: number; tenantId: string },
  kind: 'reset' | 'verification' | 'change',
  email?: string,
): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  await parts.store.scoped({ tenantId }).run(sql`
    insert into account_links (token_hash, account_id, kind, email, expires_at)
    select ${createHash('sha256').update(token).digest()}, a.id, ${kind}, coalesce(${email ?? null}::text, a.email),
      now() + interval '1 hour'
    from users u join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = ${userId}`)
  return token
}

/** A mail server for the tests of a file, each of which begins with an empty queue; the first administrator exists. */
export const useMailServer = (): MailServer => {
  const server = {} as MailServer
  beforeAll(async () => {
    Object.assign(server, await startMailServer())
    await platformAdmin()
  })
  afterAll(() => server.stop())
  beforeEach(() => clearQueue())
  return server
}

/** A living sign-up, as if its link had been mailed; returns its token. */
export const insertSignUp = async (): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await parts.store.scoped({}).run(sql`
    insert into sign_ups (token_hash, organization, slug, email, expires_at)
    values (${hash}, 'Acme', '', ${`${unique('s')}@example.com`}, ${clock.now()}::timestamptz + interval '1 day')`)
  return token
}
