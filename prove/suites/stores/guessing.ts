import { ok, request, unique, type Session } from '../../../lab/client.ts'
import type { OwnServer } from '../../../lab/own-server.ts'
import type { Group } from '../../replica-group.ts'

/** Wrong passwords of one source for one account that each counter lets through (docs/contract.md, "Limits"). */
const perCounter = 10
const password = 'a proof of Tenantry'

const newEmail = async (root: Session): Promise<string> => {
  const username = unique('guessed')
  const email = `${username}@example.com`
  ok(await root.call('POST', '/users', { email, username, password }))
  return email
}

/** Counts the guesses that the service checked; it has to refuse all others with 429. */
const guess = async (url: string, email: string, times: number): Promise<number> => {
  let weighed = 0
  for (let time = 0; time < times; time += 1) {
    const body = { email, password: `wrong ${time}` }
    const { status, text } = await request(url, 'POST', '/api/v1/auth/login', { body })
    if (status === 401) weighed += 1
    else if (status !== 429) throw new Error(`a wrong password got ${status}: ${text.slice(0, 160)}`)
  }
  return weighed
}

const guessEverywhere = async (urls: string[], email: string): Promise<number> => {
  let weighed = 0
  for (const url of urls) weighed += await guess(url, email, 2 * perCounter)
  return weighed
}

/** Guesses at every replica while Redis runs, is dead and is frozen. */
export const proveGuessing = async ({ root, urls }: Group, redis: OwnServer): Promise<string> => {
  const shared = await guessEverywhere(urls, await newEmail(root))
  const begun = await newEmail(root)
  const before = await guess(urls[0] ?? '', begun, perCounter / 2)
  await redis.kill()
  const killed = await guessEverywhere(urls, await newEmail(root))
  const goneOn = before + (await guessEverywhere(urls, begun))
  await redis.start()
  redis.freeze()
  const frozen = await guessEverywhere(urls, await newEmail(root))
  redis.thaw()
  const evidence =
    `of ${2 * perCounter} guesses at each of ${urls.length} replicas ${shared} were checked with Redis, ` +
    `${killed} with it dead, ${frozen} with it frozen, ${goneOn} when it died in between; all others 429`
  const apart = perCounter * urls.length
  if (shared > perCounter || killed > apart || goneOn > apart + perCounter) throw new Error(evidence)
  if (frozen > apart + perCounter || Math.min(shared, killed, frozen) === 0) throw new Error(evidence)
  return evidence
}
