/** Organizations that strangers create: an installation of their own, which is open to them. */
import { fingerprint, inParallel, refuteNothing } from '../../attack.ts'
import { ok, request, unique, type Answer } from '../../../lab/client.ts'
import { startReplica } from '../../../lab/replica.ts'
import { mailedToken } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import { measure, requireAlike, requireSameTime, warmUps } from './enumeration.ts'
import * as people from './stage.ts'
import { newAddress, password, type Stage } from './stage.ts'

/** Sign-ups that are confirmed while their replica dies. */
const atOnce = 12
/** Kills until one comes before the last confirmation. */
const roundsMax = 5

interface Asked {
  organization: string
  email: string
  token: string
}

const askFor = (stage: Stage, email: string, organization = unique('Org ')): Promise<Answer> =>
  people.anyone(stage, '/auth/sign-up', { organization, email })

const newLink = async (stage: Stage): Promise<Asked> => {
  const [organization, email] = [unique('Killed '), newAddress()]
  ok(await askFor(stage, email, organization))
  return { organization, email, token: await mailedToken(stage.mailbox, email, 'sign-up') }
}

const proveAlike = async (stage: Stage): Promise<string> => {
  const count = (stage.short ? 60 : 400) + warmUps
  const known = Array.from({ length: count }, newAddress)
  await inParallel(known, 4, async (email) => {
    ok(await stage.other.admin.call('POST', '/users', { email, username: unique('known'), password }))
  })
  const prints: string[] = []
  for (const email of [...known.slice(0, 2), newAddress(), newAddress()]) {
    prints.push(fingerprint(await askFor(stage, email)))
  }
  requireAlike('a sign-up', prints)
  const times = await requireSameTime('asking', () => measure((email) => askFor(stage, email), known))
  return `${prints.length} answers alike; ${count - warmUps} pairs: ${times}`
}

const confirm = (url: string, { token }: Asked): Promise<Answer> =>
  request(url, 'POST', '/api/v1/auth/sign-up/confirm', {
    body: { token, username: unique('u'), password },
    headers: { 'x-forwarded-for': people.newSource() },
  })

/** True if the link is unspent. Then nothing else may exist, and the link still works. */
const settle = async (stage: Stage, asked: Asked): Promise<boolean> => {
  const { email, token } = asked
  const looked = await people.anyone(stage, '/auth/sign-up/lookup', { token })
  const isLeft = looked.status === 200
  if (!isLeft && looked.body?.code !== people.codes.linkDead) throw new Error(`a look-up: ${looked.text}`)
  const before = await people.logIn(stage, email, password)
  if (isLeft && before.status !== 401) throw new Error('an account exists, and its link as well')
  if (isLeft) ok(await confirm(stage.urls[0] ?? '', asked))
  await requireWhole(stage, asked)
  return isLeft
}

/** One tenant has the name, the person has one membership, and there is one record of it. */
const requireWhole = async (stage: Stage, { organization, email }: Asked): Promise<void> => {
  const { root } = stage
  const person = await people.openSession(stage, email)
  const memberships: object[] = ok(await person.call('GET', '/auth/memberships'))
  const found: { id: string }[] = ok(
    await root.call('GET', `/org/tenants?search=${encodeURIComponent(organization)}`),
  )
  const records = ok(
    await root.call('GET', `/audit/logs?action=tenant.create&resource_id=${found[0]?.id}&resource=tenant`),
  ).items as object[]
  const counts = [memberships.length, found.length, records.length].join()
  if (counts !== '1,1,1') throw new Error(`${organization}: memberships, tenants and records are ${counts}`)
  ok(await person.call('GET', '/users'))
}

/** Kills a replica at the first confirmation that it answers: the others are under way. */
const killOne = async (stage: Stage): Promise<number> => {
  const links = await Promise.all(Array.from({ length: atOnce }, () => newLink(stage)))
  const dying = await startReplica(stage.env)
  const first = Promise.withResolvers<void>()
  const confirming = links.map(async (link) => {
    const answer = await confirm(dying.url, link).catch(() => undefined)
    if (answer?.status === 200) first.resolve()
    return answer?.status
  })
  await Promise.race([first.promise, Promise.allSettled(confirming)])
  await dying.end('SIGKILL')
  const statuses = await Promise.all(confirming)
  let left = 0
  for (const [at, link] of links.entries()) {
    const isLeft = await settle(stage, link)
    if (isLeft) left += 1
    refuteNothing(isLeft && statuses[at] === 200 ? ['a confirmation was answered, and undone'] : [])
  }
  return left
}

const proveKilled = async (stage: Stage): Promise<string> => {
  for (let round = 1; round <= roundsMax; round += 1) {
    const left = await killOne(stage)
    if (left > 0 && left < atOnce) {
      return `of ${atOnce} confirmations at a killed replica ${atOnce - left} had made a tenant with its administrator and one record, and ${left} links lived on and worked at another replica`
    }
  }
  throw new Error(`no kill of ${roundsMax} came while confirmations were under way`)
}

export const proveSignUps = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('neither answer nor time of a sign-up tells whether an address has an account', () =>
    proveAlike(stage),
  )
  if (stage.urls.length > 1) {
    await prove(
      'a sign-up that is confirmed at a dying replica makes a whole tenant, or leaves its link',
      () => proveKilled(stage),
    )
  }
}

/** Settings of the installation. */
export const signUpSettings = {
  TENANTRY_SIGN_UP: 'organization',
  TENANTRY_SIGN_UPS_PER_HOUR: '100000',
}
