import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { openBrowser } from '../../../lab/browser.ts'
import { ok, type Answer, type Session } from '../../../lab/client.ts'
import { startReplica, type Replica } from '../../../lab/replica.ts'
import type { Prove } from '../../suite.ts'
import { ownStores, ownTarget, type Target } from '../../target.ts'
import * as door from './stage.ts'
import type { Application, Stage } from './stage.ts'

/** Living sessions of the application. */
const countSessions = async (person: Session, { id }: Application): Promise<number> => {
  const listed: { application: { id: number } | null }[] = ok(await person.call('GET', '/auth/sessions'))
  return listed.filter(({ application }) => application?.id === id).length
}

interface Round {
  kind: Target['kind']
  env: Record<string, string>
  /** The replica that runs. */
  replica: Replica
  /** On services a second one runs before the first dies. */
  standby: Replica | undefined
  person: Session
}

/** Kills the replica. The embedded database waits for the dead one before the next starts. */
const kill = async (round: Round): Promise<Replica> => {
  round.replica.signal('SIGKILL')
  await round.replica.exited
  round.replica = round.standby ?? (await startReplica(round.env))
  round.standby = undefined
  return round.replica
}

/** The status of an exchange; 0 where its replica gave no answer. */
export const statusOf = (exchange: Promise<Answer>): Promise<number> =>
  exchange.then(
    ({ status }) => status,
    () => 0,
  )

/** The breaches of two exchanges, of which the first one may never have been sent. */
const breachesOf = (first: number | undefined, second: number): string[] => [
  ...(first === 200 && second === 200 ? ['a code opened a session before the end and after it'] : []),
  ...(first === undefined && second !== 200 ? [`a code is lost with its replica: ${second}`] : []),
]

/** Kills the replica that issued the code, or the one that exchanges it, at a random moment of the exchange. */
const killOne = async (round: Round, isExchanging: boolean): Promise<{ isLost: boolean }> => {
  const { replica } = round
  const person = round.person.at(replica.url)
  const application = await door.newApplication(person)
  round.standby = round.kind === 'services' ? await startReplica(round.env) : undefined
  const code = await door.newCode(openBrowser(replica.url), person, application)
  const sent = isExchanging ? statusOf(door.exchange(replica.url, application, code)) : undefined
  if (sent) await sleep(Math.random() * 30)
  const next = await kill(round)
  const first = await sent
  const { status } = await door.exchange(next.url, application, code)
  refuteNothing(breachesOf(first, status))
  const again = await door.exchange(next.url, application, code)
  const left = await countSessions(person.at(next.url), application)
  refuteNothing([
    ...(again.status === 200 ? ['a code opened two sessions'] : []),
    ...(left === 0 ? [] : [`${left} sessions are left of a code that was used twice`]),
  ])
  return { isLost: first === 0 && status !== 200 }
}

const proveKills = async ({ kind }: Target, { short }: Stage): Promise<string> => {
  const stores = await ownStores(kind)
  const target = await ownTarget(stores, short)
  const { replica, root: person } = target
  const round: Round = { kind, env: stores.env, replica, standby: undefined, person }
  const rounds = short ? 3 : 12
  let lost = 0
  try {
    for (let at = 0; at < rounds; at += 1) {
      const { isLost } = await killOne(round, at > 0)
      if (isLost) lost += 1
    }
  } finally {
    for (const one of [round.standby, round.replica]) {
      one?.signal('SIGKILL')
      await one?.exited
    }
    await target.close()
  }
  return `${rounds} replicas killed between code and token: never two sessions; ${lost} codes were used up without an answer`
}

export const proveKilled = (target: Target, stage: Stage, prove: Prove): Promise<void> =>
  prove('a replica that dies between code and token leaves one session or none', () =>
    proveKills(target, stage),
  )
