/** Second factors of callers, with an authenticator app of our own: it imports nothing of the server. */
import { createHmac } from 'node:crypto'
import { patiently } from './attack.ts'
import { ok, request, type Session } from '../lab/client.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000

const bytesOf = (base32: string): Buffer => {
  const bits = [...base32].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const octets = bits.match(/.{8}/g) ?? []
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)))
}

/** The code of a time step (RFC 6238, RFC 4226). */
const codeAt = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

const stepNow = () => Math.floor(Date.now() / stepMs)

/** An authenticator app that counts. The code of the step that confirmed it is used up. */
export interface App {
  id: string
  secret: string
  recoveryCodes: string[]
  /** The code of the step after the present one: the service takes it, and it was not used yet. */
  nextCode(): string
  wrongCode(): string
}

/** Adds an authenticator app to the account of a session, which has `mfa` from then on. */
export const addApp = async (user: Session): Promise<App> => {
  const { password } = user
  const path = '/auth/factors/totp'
  const { id, secret } = ok(await patiently(() => user.call('POST', path, { name: 'App', password })))
  const confirm = () => user.call('POST', `${path}/${id}/confirm`, { code: codeAt(secret, stepNow()) })
  const { recovery_codes: recoveryCodes } = ok(await patiently(confirm))
  const near = () => [-2, -1, 0, 1, 2].map((steps) => codeAt(secret, stepNow() + steps))
  return {
    id,
    secret,
    recoveryCodes,
    nextCode: () => codeAt(secret, stepNow() + 1),
    wrongCode: () =>
      ['111111', '222222', '333333', '444444', '555555', '666666'].find((one) => !near().includes(one)) ?? '',
  }
}

/** The challenge that a login with the right password gets. Throws when it opens a session at once. */
export const challengeFor = async ({ base, email, password }: Session): Promise<string> => {
  const answer = await patiently(() =>
    request(base, 'POST', '/api/v1/auth/login', { body: { email, password } }),
  )
  if (answer.status !== 401 || answer.body?.code !== 40108) {
    throw new Error(`a login without the second factor answers ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  return answer.data.challenge as string
}
