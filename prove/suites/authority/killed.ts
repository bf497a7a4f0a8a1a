/** Kills a replica while approvals are decided and used. */
import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { startReplica, type Replica } from '../../../lab/replica.ts'
import type { Prove } from '../../suite.ts'
import { ownStores, ownTarget, type Target } from '../../target.ts'
import { password, unlessCode, type Stage } from '../people/stage.ts'
import { statusOf } from '../sign-in/killed.ts'
import { askFor, carrying, decide, withPolicies, type Asked, type Policed } from './approvals.ts'
import { codes } from './stage.ts'

const usesAtOnce = 5

/** An approval of a new user. */
interface Case {
  asked: Asked
  body: { email: string; username: string; password: string }
}

interface Verdict {
  /** True for an act that counted before its replica died. */
  counted: boolean
  breaches: string[]
}

interface Round {
  env: Record<string, string>
  /** The replica that runs. */
  replica: Replica
  policed: Policed
  /** Acts without an answer, and those of them that counted. */
  unanswered: number
  counted: number
}

const newCase = async ({ asker }: Policed): Promise<Case> => {
  const username = unique('killed')
  const body = { email: `${username}@example.com`, username, password }
  return { asked: await askFor(asker, 'POST', '/users', body), body }
}

const use = ({ asker }: Policed, { asked, body }: Case): Promise<Answer> =>
  asker.call('POST', '/users', body, carrying(asked))

const at = (url: string, { company, asker, decider }: Policed): Policed => ({
  company,
  asker: asker.at(url),
  decider: decider.at(url),
})

const readApproval = async (asker: Session, { id }: Asked) => ok(await asker.call('GET', `/approvals/${id}`))

/** Breaches of a decision: it has a record, or it was never made and can be made now. */
const decisionBreaches = async (
  { asker, decider }: Policed,
  { asked }: Case,
  status: number,
): Promise<Verdict> => {
  const { status: found, decisions } = await readApproval(asker, asked)
  const path = `/audit/logs?action=approval.decide&resource_id=${asked.id}`
  const { total } = ok(await asker.call('GET', path))
  const wanted = found === 'approved' ? 1 : 0
  if (wanted === 0) ok(await decide(decider, asked))
  const breaches = [
    ...(decisions.length === wanted ? [] : [`${found} with ${decisions.length} decisions`]),
    ...(total === wanted ? [] : [`${decisions.length} decisions with ${total} records`]),
    ...(status === 200 && wanted === 0 ? ['a decision that was answered is lost'] : []),
  ]
  return { counted: wanted === 1, breaches }
}

/** The users that an approval made, and their records that name it. */
const countMade = async (asker: Session, { asked, body: { username } }: Case): Promise<number[]> => {
  const { total } = ok(await asker.call('GET', `/users?search=${username}`))
  const { items } = ok(await asker.call('GET', `/audit/logs?action=user.create&search=${username}`))
  const own = items.filter(({ detail }: any) => detail.approval?.id === asked.id)
  return [total, items.length, own.length]
}

/** Breaches of a use: the approval is used up, or it serves once more. */
const useBreaches = async (policed: Policed, one: Case, status: number): Promise<Verdict> => {
  const { asker } = policed
  const { status: found } = await readApproval(asker, one.asked)
  const wanted = found === 'done' ? 1 : 0
  const before = await countMade(asker, one)
  if (wanted === 0) ok(await use(policed, one))
  const again = await use(policed, one)
  const after = await countMade(asker, one)
  const breaches = [
    ...(before.every((count) => count === wanted)
      ? []
      : [`${found}, with users and records: ${before.join()}`]),
    ...(status === 200 && wanted === 0 ? ['a change that was answered is lost'] : []),
    ...unlessCode('a second use', again, codes.approvalOver),
    ...(after.every((count) => count === 1) ? [] : [`users and records at the end: ${after.join()}`]),
  ]
  return { counted: wanted === 1, breaches }
}

interface Batch {
  decided: Case
  used: Case[]
}

const newBatch = async (policed: Policed): Promise<Batch> => {
  const decided = await newCase(policed)
  const used: Case[] = []
  for (let n = 0; n < usesAtOnce; n += 1) {
    const one = await newCase(policed)
    ok(await decide(policed.decider, one.asked))
    used.push(one)
  }
  return { decided, used }
}

const send = (policed: Policed, { decided, used }: Batch): Promise<number>[] =>
  [decide(policed.decider, decided.asked), ...used.map((one) => use(policed, one))].map(statusOf)

/** The time that a batch takes here and now: a kill within it meets some of its acts. */
const measure = async (policed: Policed): Promise<number> => {
  const batch = await newBatch(policed)
  const startedAt = performance.now()
  await Promise.all(send(policed, batch))
  return performance.now() - startedAt
}

const killOnce = async (round: Round): Promise<void> => {
  const { replica, env } = round
  const policed = at(replica.url, round.policed)
  const [batchMs, batch] = [await measure(policed), await newBatch(policed)]
  const sent = send(policed, batch)
  await sleep(Math.random() * batchMs)
  replica.signal('SIGKILL')
  await replica.exited
  const [decision = 0, ...uses] = await Promise.all(sent)
  round.replica = await startReplica(env)
  const next = at(round.replica.url, policed)
  const verdicts = [await decisionBreaches(next, batch.decided, decision)]
  for (const [n, one] of batch.used.entries()) verdicts.push(await useBreaches(next, one, uses[n] ?? 0))
  refuteNothing(verdicts.flatMap(({ breaches }) => breaches))
  const cut = verdicts.filter((_one, n) => (n === 0 ? decision : uses[n - 1]) === 0)
  round.unanswered += cut.length
  round.counted += cut.filter(({ counted }) => counted).length
}

const proveKills = async ({ kind }: Target, stage: Stage): Promise<string> => {
  const { short } = stage
  const stores = await ownStores(kind)
  const target = await ownTarget(stores, short)
  const own = { ...stage, root: target.root, urls: [target.url] }
  const policed = await withPolicies(own, ['user.create'])
  const round: Round = { env: stores.env, replica: target.replica, policed, unanswered: 0, counted: 0 }
  const rounds = short ? 3 : 12
  try {
    for (let n = 0; n < rounds; n += 1) await killOnce(round)
  } finally {
    round.replica.signal('SIGKILL')
    await round.replica.exited
    await target.close()
  }
  const { unanswered, counted } = round
  if (unanswered === 0) throw new Error('no request was in flight when its replica died')
  return (
    `${rounds} replicas killed during a decision and ${usesAtOnce} uses each: of ${unanswered} acts without an answer ` +
    `${counted} counted whole, with one record, and ${unanswered - counted} not at all; no approval counted twice`
  )
}

export const proveKilled = (target: Target, stage: Stage, record: Prove): Promise<void> =>
  record('a replica that dies leaves a decision and a use of an approval whole or undone', () =>
    proveKills(target, stage),
  )
