import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ok, request, signIn, unique } from '../client.ts'
import { spread } from '../figures.ts'
import { parseToken } from '../forge.ts'
import type { Group } from '../replica-group.ts'

const main = fileURLToPath(new URL('../../server/bin/tenantry.js', import.meta.url))

const rotateKeys = async (env: Record<string, string>): Promise<void> => {
  const own = { PATH: process.env['PATH'] ?? '', ...env }
  await promisify(execFile)(process.execPath, [main, 'rotate-keys'], { env: own })
}

/** Writes at one replica, and reads at all right after the answer. */
const writeAndRead = async ({ root, urls }: Group, path: string, value: number): Promise<void> => {
  ok(await root.at(urls[value % urls.length] ?? '').call('PUT', path, { value }))
  const found = await Promise.all(urls.map(async (url) => ok(await root.at(url).call('GET', path)).value))
  if (found.some((one) => one !== value)) {
    throw new Error(`${path} was set to ${value}, and reads ${found.join()}`)
  }
}

/** A setting written at one replica is what the very next read at any other one finds. */
export const proveSettings = async (group: Group, rounds: number): Promise<string> => {
  const { urls } = group
  for (let round = 0; round < rounds; round += 1) {
    for (const scope of ['tenant', 'global']) {
      const path = `/settings/${scope}/${unique('shared.')}`
      await writeAndRead(group, path, round)
      await writeAndRead(group, path, round + 1)
    }
  }
  return `${rounds * 4} writes, each read at ${urls.length} replicas right after its answer: always the new value`
}

const kidOf = (token: string): string => String(parseToken(token).header['kid'])

const boundMs = 2000

/** When a login at this replica is signed with another key than before. */
const signedAnew = async (url: string, group: Group, oldKid: string): Promise<number> => {
  const { email, password } = group.root
  const until = performance.now() + boundMs + 1000
  while (performance.now() < until) {
    const { token } = await signIn(url, email, password)
    if (kidOf(token) !== oldKid) {
      const at = performance.now()
      for (const other of group.urls) ok(await request(other, 'GET', '/api/v1/profile', { token }))
      return at
    }
    await sleep(5)
  }
  throw new Error(`a replica still signs with the old key after ${boundMs} ms`)
}

/** The command runs beside them, as an operator would run it. */
export const proveRotationEverywhere = async (
  group: Group,
  env: Record<string, string>,
  rounds: number,
): Promise<string> => {
  const delays: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = await signIn(group.urls[0] ?? '', group.root.email, group.root.password)
    await rotateKeys(env)
    const rotatedAt = performance.now()
    const times = await Promise.all(group.urls.map((url) => signedAnew(url, group, kidOf(before.token))))
    delays.push(...times.map((at) => at - rotatedAt))
    for (const url of group.urls) ok(await before.at(url).call('GET', '/profile'))
  }
  const evidence = `${rounds} rotations, new key in use at ${group.urls.length} replicas ${spread(delays)} after the command ended; its tokens and those of before good everywhere`
  if (Math.max(...delays) >= boundMs) throw new Error(evidence)
  return evidence
}
