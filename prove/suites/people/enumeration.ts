import { fingerprint, inParallel } from '../../attack.ts'
import { newTenant, ok, unique, type Answer } from '../../../lab/client.ts'
import { mailedLink } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import { anyone, codes, forgot, invite, newAddress, newPerson, nextUrl, password, register } from './stage.ts'
import type { Stage, Tenant } from './stage.ts'

const lookUp = (stage: Stage, token: string): Promise<Answer> =>
  anyone(stage, '/auth/invitations/lookup', { token })

export const requireAlike = (what: string, prints: string[]): void => {
  const [first, ...rest] = prints
  const differing = rest.find((print) => print !== first)
  if (differing !== undefined) throw new Error(`${what} differs: ${first} and ${differing}`.slice(0, 600))
}

/** The answer to an invitation, without the parts that differ between any two. */
const invitationPrint = ({ status, data }: Answer): string =>
  JSON.stringify([status, { ...data, id: 0, email: '', created_at: '', expires_at: '' }])

/** A revoked invitation of this address: its link reveals nothing. */
const revokedToken = async (stage: Stage, { admin }: Tenant, email: string): Promise<string> => {
  const token = await invite(stage, admin, { email })
  const { items } = ok(await admin.call('GET', '/invitations?page_size=200')) as {
    items: { id: number; email: string; status: string }[]
  }
  const { id } = items.find((one) => one.email === email && one.status === 'pending') ?? {}
  ok(await admin.call('DELETE', `/invitations/${id}`))
  return token
}

/** The tokens of two revoked invitations: of an address with an account, and of one without. */
const revokedTokens = async (stage: Stage, tenant: Tenant): Promise<[string, string]> => {
  const { email } = await register(stage)
  return Promise.all([revokedToken(stage, tenant, email), revokedToken(stage, tenant, newAddress())])
}

/** A token of an invitation names its tenant in the first 16 bytes. */
const madeUp = (tenant: string): string =>
  Buffer.concat([Buffer.from(tenant.replaceAll('-', ''), 'hex'), Buffer.alloc(32, 7)]).toString('base64url')

const proveAnswers = async (stage: Stage): Promise<string> => {
  const [registered, owned] = await Promise.all([register(stage), newPerson(stage, stage.other)])
  const known = [registered.email, owned.email]
  const unknown = [newAddress(), newAddress()]
  const asked: string[] = []
  for (const email of [...known, ...unknown]) asked.push(fingerprint(await forgot(stage, email)))
  requireAlike('a request for a link', asked)
  const inviting = await newTenant(stage.root)
  const invited: string[] = []
  for (const email of [...known, ...unknown]) {
    invited.push(invitationPrint(await inviting.admin.call('POST', '/invitations', { email })))
  }
  requireAlike('an invitation', invited)
  const revoking = await newTenant(stage.root)
  const dead = await revokedTokens(stage, revoking)
  const tokens = [...dead, madeUp(revoking.id), madeUp('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')]
  const found: string[] = []
  for (const token of tokens) found.push(fingerprint(await lookUp(stage, token)))
  requireAlike('a look-up', found)
  if (!found[0]?.includes(`${codes.linkDead}`)) throw new Error(`a dead link answers ${found[0]}`)
  return `${asked.length} requests for a link, ${invited.length} invitations and ${found.length} look-ups, each alike`
}

/** Milliseconds that requests about addresses with and without an account took. */
interface Samples {
  known: number[]
  unknown: number[]
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * The distance between two samples, in standard deviations of their ranks (Mann and Whitney). A busy machine slows both
 * samples, and outliers count only by their rank.
 */
const rankDistance = ({ known, unknown }: Samples): number => {
  const wins = known.flatMap((one) =>
    unknown.map((other): number => (one > other ? 1 : one < other ? 0 : 0.5)),
  )
  const [pairs, all] = [known.length * unknown.length, known.length + unknown.length]
  const sum = wins.reduce((total, win) => total + win, 0)
  return (sum - pairs / 2) / Math.sqrt((pairs * (all + 1)) / 12)
}

/**
 * A difference that is certain by its ranks, and that an attacker could measure. The limits are five links an hour for
 * an address, and sixty requests in 15 minutes for a source.
 */
const leastDistance = 4
const leastRatio = 1.25

const tells = (samples: Samples): { direction: number; shown: string } => {
  const [distance, ratio] = [rankDistance(samples), median(samples.known) / median(samples.unknown)]
  const isSeen = Math.abs(distance) > leastDistance && Math.max(ratio, 1 / ratio) > leastRatio
  return {
    direction: isSeen ? Math.sign(distance) : 0,
    shown: `medians ${median(samples.known).toFixed(1)} and ${median(samples.unknown).toFixed(1)} ms, ranks ${distance.toFixed(1)} deviations apart`,
  }
}

/** The first pairs do not count: caches fill. */
export const warmUps = 5

type Ask = (email: string) => Promise<Answer>

/** Asks about both kinds in turns. Chance decides which of the two comes first, so that neither inherits work. */
export const measure = async (ask: Ask, known: string[]): Promise<Samples> => {
  const samples: Samples = { known: [], unknown: [] }
  const sample = async (kind: keyof Samples, email: string, isCounted: boolean) => {
    const { status, ms, text } = await ask(email)
    if (status >= 500 || status === 429) throw new Error(`answers ${status} ${text}`)
    if (isCounted) samples[kind].push(ms)
  }
  for (const [at, email] of known.entries()) {
    const pair: [keyof Samples, string][] = [
      ['known', email],
      ['unknown', newAddress()],
    ]
    const order = Math.random() < 0.5 ? pair : pair.toReversed()
    for (const [kind, one] of order) await sample(kind, one, at >= warmUps)
  }
  return samples
}

/** A difference counts when a second measurement shows it as well. */
export const requireSameTime = async (what: string, attempt: () => Promise<Samples>): Promise<string> => {
  const first = tells(await attempt())
  if (first.direction === 0) return `${what}: ${first.shown}`
  const second = tells(await attempt())
  if (second.direction === first.direction) {
    throw new Error(`${what} takes another time with an account: ${first.shown}; again ${second.shown}`)
  }
  return `${what}: ${second.shown}`
}

const proveTimes = async (stage: Stage): Promise<string> => {
  const count = (stage.short ? 60 : 400) + warmUps
  const known = Array.from({ length: count }, newAddress)
  await inParallel(known, 4, async (email) => {
    ok(await stage.other.admin.call('POST', '/users', { email, username: unique('known'), password }))
  })
  const asking = await requireSameTime('asking', () => measure((email) => forgot(stage, email), known))
  const inviting = await requireSameTime('inviting', async () => {
    const { admin } = await newTenant(stage.root)
    const at = admin.at(nextUrl(stage))
    return measure((email) => at.call('POST', '/invitations', { email }), known)
  })
  // The proofs that follow wait for their own e-mails, not for these.
  await mailedLink(stage.mailbox, known.at(-1) ?? '', 'accept-invitation')
  return `${count - warmUps} pairs each: ${asking}; ${inviting}`
}

const proveLookUpTimes = async (stage: Stage): Promise<string> => {
  const tenant = await newTenant(stage.root)
  const [known, unknown] = await revokedTokens(stage, tenant)
  const count = (stage.short ? 60 : 400) + warmUps
  const tokens = Array.from({ length: count }, () => known)
  return requireSameTime(`${count - warmUps} pairs of look-ups`, () =>
    measure((asked) => lookUp(stage, asked === known ? known : unknown), tokens),
  )
}

export const proveEnumeration = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('no answer tells whether an address has an account', () => proveAnswers(stage))
  await prove('no time of an answer tells whether an address has an account', async () =>
    [await proveTimes(stage), await proveLookUpTimes(stage)].join('; '),
  )
}
