import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import sql from 'sql-template-tag'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newTenant, password, platformAdmin, type Caller } from '../../../../test/factories.ts'
import { call, clock, parts } from '../../../../test/harness.ts'
import { startMailServer, type MailServer } from '../../../../../lab/mail-server.ts'
import {
  clearQueue,
  deliver,
  fileMailer,
  mailerAt,
  sendDueMails,
  waitingFor,
} from '../../../../test/mail-queue.ts'
import { createSecrets } from '../../../crypto/secrets.ts'
import { sweepMails } from './sender.service.ts'

const minute = 60_000

const servers: MailServer[] = []
const open = async (options?: SMTPServerOptions): Promise<MailServer> => {
  const server = await startMailServer(options)
  servers.push(server)
  return server
}

beforeAll(() => platformAdmin())
beforeEach(() => clearQueue())
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

const forgot = (email: string) => call('POST', '/auth/password/forgot', { body: { email } })

/** A user with one waiting e-mail. */
const userWithMail = async (): Promise<Caller> => {
  const user = await (await newTenant()).member()
  await clearQueue()
  await forgot(user.email)
  return user
}

const lines: string[] = []
const log = Object.assign(Object.create(parts.log) as typeof parts.log, {
  warn: (fields: object, text: string) => lines.push(JSON.stringify({ ...fields, text })),
  info: (fields: object, text: string) => lines.push(JSON.stringify({ ...fields, text })),
})

/** Sends due e-mails once, as a replica with this mail server. */
const round = (smtpUrl: string) => sendDueMails({ ...parts, log, mailer: mailerAt(smtpUrl) })

const portOf = ({ port }: MailServer) => `smtp://127.0.0.1:${port}`

describe('the queue of e-mails', () => {
  test('every replica learns of a queued e-mail after the commit', async () => {
    const user = await (await newTenant()).member()
    const heard: unknown[] = []
    parts.cache.subscribe((change) => heard.push(change))
    await forgot(user.email)
    expect(heard).toContainEqual({ kind: 'queued', queue: 'mail' })
  })

  test('an e-mail is sent once, however many replicas look for it', async () => {
    const server = await open()
    const tenant = await newTenant()
    const users = [await tenant.member(), await tenant.member(), await tenant.member()]
    await clearQueue()
    for (const { email } of users) await forgot(email)
    await Promise.all(Array.from({ length: 6 }, () => deliver(server)))
    expect(server.mails.map(({ to }) => to).toSorted()).toEqual(users.map(({ email }) => email).toSorted())
    for (const { email } of users) expect(await waitingFor(email)).toEqual([])
  })

  test('an e-mail of a change that is rolled back is never sent', async () => {
    const user = await (await newTenant()).member()
    await clearQueue()
    await user.post('/password', { old_password: 'not the password', new_password: 'another good password' })
    expect(await waitingFor(user.email)).toEqual([])
  })

  test('a request waits for no mail server: it only queues the e-mail', async () => {
    const { email } = await userWithMail()
    expect(await waitingFor(email)).toMatchObject([{ kind: 'reset', attempts: 0 }])
  })

  test('an e-mail whose link has expired, was used or was revoked is dropped', async () => {
    const server = await open()
    const late = await userWithMail()
    clock.advance(31 * minute)
    await deliver(server)
    expect(server.mails).toEqual([])
    await sweepMails(parts)
    expect(await waitingFor(late.email)).toEqual([])
    const revoked = await userWithMail()
    await revoked.post('/password', { old_password: password, new_password: 'another good password' })
    expect((await waitingFor(revoked.email)).map(({ kind }) => kind)).toEqual(['password_changed'])
  })

  test('a sweep deletes at most 100 rows in a transaction, until none is left', async () => {
    await parts.store.scoped({}).run(sql`
      insert into mail_counts (email_folded, kind, asked_at)
      select 'sweep-' || n, 'reset', ${parts.now()}::timestamptz - n * interval '1 second' - interval '1 hour'
      from generate_series(1, 250) as n`)
    const deleted: number[] = []
    const transaction: typeof parts.store.transaction = (scope, work, role) =>
      parts.store.transaction(
        scope,
        async (db) => {
          const run = async (statement: Parameters<typeof db.run>[0]) => {
            const count = await db.run(statement)
            deleted.push(count)
            return count
          }
          return work({ ...db, run })
        },
        role,
      )
    await sweepMails({ store: { ...parts.store, transaction }, now: parts.now })
    expect(Math.max(...deleted)).toBe(100)
    const left = await parts.store
      .scoped({})
      .many(sql`select email_folded from mail_counts where email_folded like 'sweep-%'`)
    expect(left).toEqual([])
  })

  test('an e-mail of a deleted account is dropped', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await clearQueue()
    await forgot(user.email)
    await tenant.admin.delete(`/users/${user.userId}`)
    expect(await waitingFor(user.email)).toEqual([])
  })

  test('a sent e-mail is deleted, and its link stays valid', async () => {
    const server = await open()
    const { email } = await userWithMail()
    await deliver(server)
    expect(await waitingFor(email)).toEqual([])
    const body = { token: server.to(email)[0]?.token, new_password: 'another good password' }
    expect(await call('POST', '/auth/password/reset', { body })).toMatchObject({ status: 200 })
  })

  test('a token that was moved to another row is not sent', async () => {
    const server = await open()
    const [victim, other] = [await (await newTenant()).member(), await (await newTenant()).member()]
    await clearQueue()
    await forgot(victim.email)
    await forgot(other.email)
    await parts.store.scoped({}).run(sql`
      update mail_queue set sealed_token = (select sealed_token from mail_queue where email = ${victim.email})
      where email = ${other.email}`)
    await deliver(server)
    expect(server.mails.map(({ to }) => to)).toEqual([victim.email])
  })

  test('a link is dropped without the secret key, and notices are still sent', async () => {
    const server = await open()
    const user = await userWithMail()
    await user.post('/password', { old_password: password, new_password: 'another good password' })
    await forgot(user.email)
    const secrets = createSecrets([Buffer.alloc(32, 9)])
    await sendDueMails({ ...parts, log, secrets, mailer: mailerAt(portOf(server)) })
    expect(server.mails.map(({ subject }) => subject)).toEqual(['Your password was changed'])
    expect(await waitingFor(user.email)).toEqual([])
  })
})

describe('a mail server', () => {
  test('an e-mail is tried again with growing pauses while the server is away', async () => {
    const { email } = await userWithMail()
    const pauses: number[] = []
    for (let n = 0; n < 4; n += 1) {
      await round('smtp://127.0.0.1:1')
      const [mail] = await waitingFor(email)
      pauses.push(Math.ceil((mail?.pauseMs ?? 0) / 1000 / 5) * 5)
      expect(await round('smtp://127.0.0.1:1')).toBe(0)
      clock.advance(mail?.pauseMs ?? 0)
    }
    expect(pauses).toEqual([10, 20, 40, 80])
    const server = await open()
    await deliver(server)
    expect(server.to(email)).toHaveLength(1)
  })

  test('a server that refuses one recipient for good gets the others, and that one never again', async () => {
    const [refused, taken] = [await (await newTenant()).member(), await (await newTenant()).member()]
    await clearQueue()
    for (const { email } of [refused, taken]) await forgot(email)
    const server = await open({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: ({ address }, _session, done) =>
        address === refused.email
          ? done(Object.assign(new Error(`no such user ${address}`), { responseCode: 550 }))
          : done(),
    })
    lines.length = 0
    await round(portOf(server))
    expect(server.mails.map(({ to }) => to)).toEqual([taken.email])
    expect(await waitingFor(refused.email)).toEqual([])
    expect(lines.join()).not.toContain(refused.email)
    expect(lines.join()).toContain('refused for good')
  })

  test('a server that refuses for now is asked again', async () => {
    let isBusy = true
    const server = await open({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: (_address, _session, done) =>
        isBusy ? done(Object.assign(new Error('try later'), { responseCode: 451 })) : done(),
    })
    const { email } = await userWithMail()
    await round(portOf(server))
    expect(await waitingFor(email)).toMatchObject([{ attempts: 1 }])
    isBusy = false
    clock.advance(minute)
    await deliver(server)
    expect(server.to(email)).toHaveLength(1)
  })

  test('a server that hangs up in the middle of an e-mail is asked again', async () => {
    let isBroken = true
    const broken = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('220 here\r\n')
      socket.on('data', (chunk) => {
        if (String(chunk).startsWith('DATA') && isBroken) socket.destroy()
        else socket.write('250 ok\r\n')
      })
    })
    broken.listen(0, '127.0.0.1')
    await once(broken, 'listening')
    const { email } = await userWithMail()
    await round(`smtp://127.0.0.1:${(broken.address() as AddressInfo).port}`)
    isBroken = false
    broken.close()
    expect(await waitingFor(email)).toMatchObject([{ attempts: 1 }])
    const server = await open()
    clock.advance(minute)
    await deliver(server)
    expect(server.to(email)).toHaveLength(1)
  })

  test('a slow server holds only one replica: another takes none of its e-mails meanwhile', async () => {
    const held: (() => void)[] = []
    const slow = await open({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onMailFrom: (_address, _session, done) => {
        held.push(done)
      },
    })
    const other = await open()
    const { email } = await userWithMail()
    const sending = round(portOf(slow))
    await expect.poll(async () => (await waitingFor(email))[0]?.attempts).toBe(1)
    expect(await round(portOf(other))).toBe(0)
    await expect.poll(() => held.length).toBe(1)
    held[0]?.()
    expect(await sending).toBe(1)
    expect(other.mails).toEqual([])
    expect(await waitingFor(email)).toEqual([])
  })

  test('a server outside this machine gets no e-mail without STARTTLS', async () => {
    const server = await open()
    const { email } = await userWithMail()
    // The address of the same machine in a form that does not count as local.
    await round(`smtp://[::ffff:127.0.0.1]:${server.port}`)
    expect(server.mails).toEqual([])
    expect(await waitingFor(email)).toMatchObject([{ attempts: 1 }])
  })

  test('a server outside this machine has to prove its name', async () => {
    const server = await open({ disabledCommands: ['AUTH'] })
    const { email } = await userWithMail()
    await round(`smtp://[::ffff:127.0.0.1]:${server.port}`)
    expect(server.mails).toEqual([])
    expect(await waitingFor(email)).toMatchObject([{ attempts: 1 }])
  })

  test('gets the credentials of SMTP_URL', async () => {
    const given: unknown[] = []
    const server = await open({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password: secret }, _session, done) => {
        given.push([username, secret])
        done(null, { user: username })
      },
    })
    const { email } = await userWithMail()
    await round(`smtp://post%40office:p%2Fss@127.0.0.1:${server.port}`)
    expect(given).toEqual([['post@office', 'p/ss']])
    expect(await waitingFor(email)).toEqual([])
  })
})

describe('e-mails of the embedded database without a mail server', () => {
  const withFolder = async (work: (folder: string) => Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-mail-'))
    try {
      await work(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  test('are files that only this user can read, and the log names the file without its link', () =>
    withFolder(async (dataDir) => {
      const { email } = await userWithMail()
      lines.length = 0
      await sendDueMails({ ...parts, log, mailer: fileMailer(dataDir, log) })
      const folder = join(dataDir, 'mail')
      const [name = '', ...others] = readdirSync(folder)
      expect(others).toEqual([])
      expect(name).toMatch(/\.eml$/)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
      const text = readFileSync(join(folder, name), 'utf8')
      expect(text).toContain(`To: ${email}`)
      expect(text).toMatch(
        /^X-Tenantry-Link: http:\/\/localhost:\d+\/sign-in\/reset-password#token=[\w-]{43}\r$/m,
      )
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(name)
      expect(lines[0]).not.toMatch(/token|http/)
      expect(lines[0]).not.toContain(email)
    }))

  test('the newest 200 stay', () =>
    withFolder(async (dataDir) => {
      const mailer = fileMailer(dataDir, log)
      await userWithMail()
      await sendDueMails({ ...parts, log, mailer })
      const folder = join(dataDir, 'mail')
      for (let n = 0; n < 205; n += 1) {
        writeFileSync(join(folder, `2000-01-01T00-00-00.${String(n).padStart(3, '0')}Z-x.eml`), '')
      }
      await userWithMail()
      await sendDueMails({ ...parts, log, mailer })
      const names = readdirSync(folder).toSorted()
      expect(names).toHaveLength(200)
      expect(names[0]).toBe('2000-01-01T00-00-00.007Z-x.eml')
    }))
})
