import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../../lab/client.ts'
import type { Machine } from '../../own-machines.ts'
import type { Stage } from '../crash/writes.ts'
import { observeFault, type Fault } from '../stores/faults.ts'
import { seconds, type Figures } from '../stores/verdict.ts'

/** A group of machines with one leader. */
export interface Group {
  machines: Machine[]
  whole(): Promise<Machine>
  promoted(among: Machine[]): Promise<Machine>
  start(machine: Machine): void
}

/** A way in which the leader fails, and the way back. */
export interface Blow {
  strike: (leader: Machine, others: Machine[]) => Promise<unknown>
  mend: (leader: Machine, others: Machine[]) => Promise<unknown>
}

export const kill = (group: Group): Blow => ({
  strike: (leader) => leader.kill(),
  mend: async (leader) => group.start(leader),
})

export const freeze: Blow = {
  strike: async (leader) => leader.freeze(),
  mend: async (leader) => leader.thaw(),
}

export const cut: Blow = {
  strike: async (leader) => leader.cut(),
  mend: async (leader) => leader.join(),
}

/** The service still reaches the leader; the other machines do not. */
export const part: Blow = {
  strike: async (leader, others) => leader.cutFrom(others),
  mend: async (leader, others) => leader.joinTo(others),
}

/** The leader hands over. `switchOver` runs during the traffic. */
export const hand = (switchOver: (leader: Machine) => Promise<unknown>): Blow => {
  let handing: Promise<unknown> = Promise.resolve()
  return {
    strike: async (leader) => {
      handing = switchOver(leader)
      handing.catch(() => {})
    },
    mend: () => handing,
  }
}

/** The time from the promotion until the old leader returns, under traffic. */
const returnMs = 3000
/** The time of traffic after the promotion. */
const afterMs = 8000
/** The bound of docs/guarantees.md. */
const recoveryMs = 5000

/** The leader fails once; resolves with the figures when the group is whole again. */
const strikeOnce = async (
  group: Group,
  blow: Blow,
  service: { root: Session; urls: string[]; stage: Stage },
  isServed: boolean,
): Promise<Figures & { awayMs: number }> => {
  const leader = await group.whole()
  const others = group.machines.filter((machine) => machine !== leader)
  let begunAt = 0
  let awayMs = 0
  let returning: Promise<unknown> | undefined
  const fault: Fault = {
    isServed,
    lastMs: isServed ? 1000 : 0,
    afterMs,
    recoveryMs,
    async begin() {
      begunAt = performance.now()
      await blow.strike(leader, others)
    },
    async end() {
      await group.promoted(others)
      awayMs = performance.now() - begunAt
      returning = sleep(returnMs).then(() => blow.mend(leader, others))
      returning.catch(() => {})
    },
  }
  const { figures } = await observeFault(service, service.stage, fault)
  await returning
  await group.whole()
  return { ...figures, awayMs }
}

const most = (all: Figures[], name: keyof Figures): number => Math.max(...all.map((one) => one[name]))
const sum = (all: Figures[], name: keyof Figures): number => all.reduce((total, one) => total + one[name], 0)

/** Repeats a failure of the leader, and returns the worst figures. */
export const strike = async (
  group: Group,
  blow: Blow,
  service: { root: Session; urls: string[]; stage: Stage },
  { rounds, isServed }: { rounds: number; isServed: boolean },
): Promise<string> => {
  const all: (Figures & { awayMs: number })[] = []
  for (let round = 0; round < rounds; round += 1) {
    const figures = await strikeOnce(group, blow, service, isServed).catch((err: unknown) => {
      throw new Error(`round ${round + 1}: ${err instanceof Error ? err.message : String(err)}`)
    })
    all.push(figures)
  }
  const away = all.map(({ awayMs }) => awayMs)
  return (
    `${rounds} rounds: promoted after ${seconds(Math.min(...away))} to ${seconds(Math.max(...away))}; after the ` +
    `promotion the first write within ${seconds(most(all, 'firstWriteMs'))}, the last 503 within ` +
    `${seconds(most(all, 'backMs'))}, /readyz back within ${seconds(most(all, 'upMs'))}; longest of ` +
    `${sum(all, 'requests')} requests ${seconds(most(all, 'longestMs'))}, ${sum(all, 'refused')} got 503; all ` +
    `${sum(all, 'acknowledged')} acknowledged writes exist with one audit record each`
  )
}
