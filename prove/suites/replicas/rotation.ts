import { setTimeout as sleep } from 'node:timers/promises'
import { ok, signIn, unique } from '../../../lab/client.ts'
import { spread } from '../../figures.ts'
import type { Group } from '../../replica-group.ts'
import { kidOf, publishedKids, rotateKeys } from '../../rotate-keys.ts'

/** Writes at one replica and reads at all of them right after the answer. */
const writeAndRead = async ({ root, urls }: Group, path: string, value: number): Promise<void> => {
  ok(await root.at(urls[value % urls.length] ?? '').call('PUT', path, { value }))
  const found = await Promise.all(urls.map(async (url) => ok(await root.at(url).call('GET', path)).value))
  if (found.some((one) => one !== value)) {
    throw new Error(`${path} was set to ${value}, and the replicas read ${found.join()}`)
  }
}

/** A setting written at one replica has to be in the very next read at every other one. */
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

const boundMs = 2000

/** Resolves with the time when this replica publishes a key that is not among the known ones. */
const publishedAnew = async (url: string, known: string[]): Promise<number> => {
  const until = performance.now() + boundMs + 1000
  while (performance.now() < until) {
    const kids = await publishedKids(url)
    if (kids.some((kid) => !known.includes(kid))) return performance.now()
    await sleep(5)
  }
  throw new Error(`a replica does not publish the new key after ${boundMs} ms`)
}

/** The command runs beside the replicas, as an operator would run it. */
export const proveRotationEverywhere = async (
  group: Group,
  env: Record<string, string>,
  rounds: number,
): Promise<string> => {
  const delays: number[] = []
  const { email, password } = group.root
  for (let round = 0; round < rounds; round += 1) {
    const [url = ''] = group.urls
    const before = await signIn(url, email, password)
    const known = await publishedKids(url)
    await rotateKeys(env)
    const rotatedAt = performance.now()
    const times = await Promise.all(group.urls.map((one) => publishedAnew(one, known)))
    delays.push(...times.map((at) => at - rotatedAt))
    const after = await signIn(url, email, password)
    for (const session of [before, after]) {
      for (const one of group.urls) ok(await session.at(one).call('GET', '/profile'))
    }
    if (!known.includes(kidOf(after.token))) throw new Error('a key signs that verifiers cannot know yet')
  }
  const evidence = `${rounds} rotations, new key published at ${group.urls.length} replicas ${spread(delays)} after the command ended; earlier and new tokens valid everywhere`
  if (Math.max(...delays) >= boundMs) throw new Error(evidence)
  return evidence
}
