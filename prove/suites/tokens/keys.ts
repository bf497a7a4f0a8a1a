import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { fingerprint, inParallel, patiently, refuteNothing } from '../../attack.ts'
import { addKey, ok, request, unique, type Answer, type Machine } from '../../../lab/client.ts'
import { knock } from '../../knock.ts'
import { readOperations, type Operation } from '../../operations.ts'
import type { Prove } from '../../suite.ts'
import type { Stage } from './refresh.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const checksumOf = (text: string): string => {
  let [sum, rest] = ['', crc32(text)]
  while (sum.length < 6) [sum, rest] = [`${digits[rest % 62]}${sum}`, Math.floor(rest / 62)]
  return sum
}

/** A key with another secret part and a checksum that fits, as an attacker can make it. */
const guessed = (secret: string): string => {
  const isKnown = checksumOf(secret.slice(0, -6)) === secret.slice(-6)
  if (!isKnown) throw new Error('a key does not end in the checksum that this proof computes')
  const body = `tnt_${'x'.repeat(43)}${secret.slice(47, -6)}`
  return `${body}${checksumOf(body)}`
}

const mistyped = (secret: string): string => `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`

const withText = (machine: Machine, token: string): Machine => ({
  ...machine,
  token,
  call: (method, path, body, options) =>
    request(machine.base, method, `/api/v1${path}`, { token, tenant: machine.tenantId, body, ...options }),
})

/** Keys that the service has to refuse, each made from one that it accepts. */
const badKeys: Record<
  string,
  (stage: Stage, add: (bounds?: object) => Promise<Machine>) => Promise<Machine>
> = {
  unknown: async (_stage, add) => {
    const machine = await add()
    return withText(machine, guessed(machine.token))
  },
  mistyped: async (_stage, add) => {
    const machine = await add()
    return withText(machine, mistyped(machine.token))
  },
  'cut off': async (_stage, add) => {
    const machine = await add()
    return withText(machine, machine.token.slice(0, -1))
  },
  revoked: async ({ target: { root }, tenant }, add) => {
    const machine = await add()
    const path = `/service-accounts/${machine.userId}/keys/${machine.keyId}`
    ok(await machine.call('GET', '/ping'))
    ok(await root.call('DELETE', path, undefined, { tenant }))
    return machine
  },
  expired: async (_stage, add) => {
    const machine = await add({ expires_at: new Date(Date.now() + 2000).toISOString() })
    await machine.call('GET', '/ping')
    await sleep(2100)
    return machine
  },
  'used from another address': (_stage, add) => add({ allowed_cidrs: ['203.0.113.7', '2001:db8::/32'] }),
  'of a disabled account': async ({ target: { root }, tenant }, add) => {
    const machine = await add()
    ok(await machine.call('GET', '/ping'))
    ok(await root.call('PUT', `/service-accounts/${machine.userId}`, { status: 0 }, { tenant }))
    return machine
  },
  'of a deleted account': async ({ target: { root }, tenant }, add) => {
    const machine = await add()
    ok(await machine.call('GET', '/ping'))
    ok(await root.call('DELETE', `/service-accounts/${machine.userId}`, undefined, { tenant }))
    return machine
  },
}

/** Sends every operation with the key; returns the different answers. */
const knockAll = async (by: Machine, operations: Operation[]): Promise<Map<string, Answer>> => {
  const answers = new Map<string, Answer>()
  await inParallel(operations, 8, async (operation) => {
    const answer = await knock(by, operation)
    answers.set(fingerprint(answer), answer)
  })
  return answers
}

const proveBadKeys = async (stage: Stage): Promise<string> => {
  const { target, tenant } = stage
  const operations = await readOperations(target.url)
  const add = (bounds?: object) => addKey(target.root, tenant, unique('machine'), bounds)
  const good = await add()
  const ways = Object.entries(badKeys)
  const prints = new Set<string>()
  const breaches: string[] = []
  for (const [what, make] of ways) {
    const answers = await knockAll(await make(stage, add), operations)
    for (const [print, { status, text }] of answers) {
      prints.add(print)
      if (status !== 401) breaches.push(`a key that is ${what} answers ${status} ${text.slice(0, 120)}`)
    }
  }
  if (prints.size !== 1) breaches.push(`there are ${prints.size} different answers`)
  refuteNothing(breaches)
  ok(await good.call('GET', '/ping'))
  return `${operations.length} operations × ${ways.length} kinds of bad key (${ways.map(([what]) => what).join(', ')}): 401, one answer to the byte`
}

/** A key opens no session, by any operation about sessions. */
const proveNoSession = async ({ target, tenant }: Stage): Promise<string> => {
  const { token } = await addKey(target.root, tenant, unique('machine'))
  const body = { refresh_token: token }
  const { status } = await patiently(() => request(target.url, 'POST', '/api/v1/auth/refresh', { body }))
  if (status !== 401) throw new Error(`a key as refresh token answers ${status}`)
  return 'as a refresh token: 401'
}

export const proveKeys = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('every operation refuses a bad key, whatever is bad about it, with one answer', () =>
    proveBadKeys(stage),
  )
  await prove('a key opens no session', () => proveNoSession(stage))
}
