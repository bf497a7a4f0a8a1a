/** A real SMTP server on the loopback address, and the e-mails that it took. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createSender } from '../src/features/mail/sender.service.ts'
import { openMailer, type Mailer } from '../src/mail/mailer.ts'
import { platformAdmin } from './factories.ts'
import { clock, parts } from './harness.ts'

export interface ReceivedMail {
  to: string
  subject: string
  /** The whole e-mail, without the breaks and escapes of its encoding. */
  source: string
  /** The address in its text, if it carries a link. */
  link: string | undefined
  token: string
}

export interface MailServer {
  port: number
  mails: ReceivedMail[]
  /** E-mails to an address, the oldest first. */
  to: (email: string) => ReceivedMail[]
  stop: () => Promise<void>
}

/** Undoes quoted-printable: line breaks at the end of a line, and bytes as =XX. */
const decoded = (source: string): string =>
  Buffer.from(
    source
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** A header in another script is split into several base64 words. */
const decodedWords = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?B\?([^?]*)\?=/gi, (_whole, text: string) => Buffer.from(text, 'base64').toString())
    .replaceAll(/=\?utf-8\?Q\?([^?]*)\?=/gi, (_whole, text: string) => decoded(text.replaceAll('_', ' ')))

const readMail = (raw: string, to: string): ReceivedMail => {
  const subject = decodedWords(/^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? '')
  const bodies = raw.replaceAll(
    /Content-Transfer-Encoding: base64\r\n\r\n([\w+/=\r\n]+)/g,
    (_whole, text: string) => `\r\n${Buffer.from(text, 'base64').toString()}`,
  )
  const source = bodies === raw ? decoded(raw) : bodies
  const link = /https?:\/\/\S+#token=[\w-]+/.exec(source)?.[0]
  return { to, subject, source, link, token: link?.split('#token=')[1] ?? '' }
}

export const startMailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        for (const { address } of session.envelope.rcptTo) mails.push(readMail(raw, address))
        done()
      })
    },
    ...options,
  })
  // Connections that a test cuts off.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    mails,
    to: (email) => mails.filter((mail) => mail.to.toLowerCase() === email.toLowerCase()),
    stop: () => new Promise((done) => server.close(() => done())),
  }
}

/** The mailer of a server at a port of this machine. */
export const mailerAt = (smtpUrl: string): Mailer => {
  const mailer = openMailer({ ...parts.config, smtpUrl }, parts.log)
  if (!mailer) throw new Error('no mailer')
  return mailer
}

/** Sends the e-mails that are due as one replica, and waits for their end. Returns how many it took. */
export const sendDueMails = async (of: Parameters<typeof createSender>[0]): Promise<number> => {
  const sender = createSender(of)
  let taken = 0
  for (let more = await sender.round(); more > 0; more = await sender.round()) taken += more
  await sender.settle()
  return taken
}

/** Sends all e-mails that are due by this server. */
export const deliver = async ({ port }: Pick<MailServer, 'port'>): Promise<void> => {
  await sendDueMails({ ...parts, mailer: mailerAt(`smtp://127.0.0.1:${port}`) })
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

/** A living link of a user, as if it had been mailed; returns its token. */
export const insertLink = async (
  { userId, tenantId }: { userId: number; tenantId: string },
  kind: 'reset' | 'verification',
): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  await parts.store.scoped({ tenantId }).run(sql`
    insert into account_links (token_hash, account_id, kind, email, expires_at)
    select ${createHash('sha256').update(token).digest()}, a.id, ${kind}, a.email, now() + interval '1 hour'
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
