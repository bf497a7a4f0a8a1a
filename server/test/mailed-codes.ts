/** Codes by mail, which the installation of the tests accepts only while a file asks for it. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll } from 'vitest'
import type { MailServer } from '../../lab/mail-server.ts'
import { createSecretKeys } from '../src/features/configuration/settings/declared.service.ts'
import {
  deleteGlobalSetting,
  putGlobalSetting,
} from '../src/features/configuration/settings/writes.service.ts'
import { sha256 } from '../src/crypto/sha256.ts'
import { systemCtx } from '../src/start/parts.ts'
import { fold } from '../src/values/text.ts'
import { call, clock, parts, type Answer, type Call } from './harness.ts'
import { ok } from './factories.ts'
import { deliver } from './mail-queue.ts'

const key = 'auth.ways'

/** Sets the ways of the installation, as its operator. */
export const putGlobalWays = async (value: object): Promise<void> => {
  const ctx = systemCtx(parts, 'test')
  await putGlobalSetting(ctx, createSecretKeys(), key, { value, ifMatch: undefined })
}

export const dropGlobalWays = () => deleteGlobalSetting(systemCtx(parts, 'test'), key, undefined)

/** Opens codes by mail for the tests of a file. */
export const useEmailCodes = (more: object = {}): void => {
  beforeAll(() => putGlobalWays({ email_code: true, ...more }))
  afterAll(() => dropGlobalWays())
}

/** A living code of an account with an owner, as if it had been mailed. */
export const insertEmailCode = async (email: string): Promise<{ challenge: string; code: string }> => {
  const challenge = randomBytes(32).toString('base64url')
  const hash = sha256(challenge)
  const code = '492039'
  const db = parts.store.scoped({})
  await db.run(sql`update accounts set proved_email = email_folded where email_folded = ${fold(email)}`)
  await db.run(sql`
    insert into email_codes (challenge_hash, code_mac, email_folded, account_id, account_epoch, expires_at)
    select ${hash}, ${parts.secrets.mac(code, `email_codes ${hash.toString('hex')}`)}, email_folded, id, session_epoch,
      ${clock.now()}::timestamptz + interval '10 minutes'
    from accounts where email_folded = ${fold(email)}`)
  return { challenge, code }
}

export const askCode = (email: string, options: Call = {}, more: object = {}): Promise<Answer> =>
  call('POST', '/auth/email-code', { ...options, body: { email, ...more } })

export const giveCode = (challenge: string, code: string, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/login/email-code', { ...options, body: { challenge, code } })

/** The newest code that was mailed to an address; "" for none. */
export const codeIn = async (server: MailServer, email: string): Promise<string> => {
  await deliver(server)
  const mail = server.to(email).findLast(({ source }) => /^\d{6}$/m.test(source))
  return /^(\d{6})\r?$/m.exec(mail?.source ?? '')?.[1] ?? ''
}

/** Asks for a code, and reads it in the mailbox. */
export const mailedCode = async (
  server: MailServer,
  email: string,
  more: object = {},
): Promise<{ challenge: string; code: string }> => {
  const { challenge } = ok(await askCode(email, {}, more))
  return { challenge, code: await codeIn(server, email) }
}

/** Another code than this one. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
