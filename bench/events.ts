/**
 * `npm run bench:events` measures webhooks. It compares the speed of one process with a backlog to graphile-worker. It
 * also measures the time from a change to its receipt, and the memory of a large backlog. A missed target does not fail
 * the run.
 */
import { Command } from 'commander'
import { wholeNumber, wholeNumbers } from './arguments.ts'
import { measureDelays, measureMemory } from './events/delays.ts'
import { drain, startReceiver, type Receiver, type Sender } from './events/drain.ts'
import { openGraphileWorker } from './events/graphile-worker.ts'
import { eventsReport, judgeEvents, type Drains, type EventsResults, type Plan } from './events/report.ts'
import { hooksOfTenant, openScene, senderOf, type Scene } from './events/tenantry.ts'
import { versionIn } from './peers.ts'
import { progress } from './progress.ts'
import { runBench, type Own } from './runner.ts'
import type { Stores } from './stores.ts'

/** Each sender has a first round, then each has a second one: a disturbance of the machine hits all alike. */
const measureDrains = async (senders: Sender[], receiver: Receiver, plan: Plan): Promise<Drains[]> => {
  const drains = senders.map((sender) => ({ sender, samples: [] as Drains['samples'] }))
  for (let round = 0; round <= plan.rounds; round += 1) {
    for (const { sender, samples } of drains) {
      progress(`draining, round ${round} of ${plan.rounds}: ${sender.name}`)
      const drained = await drain(sender, receiver, plan.deliveries)
      // The first round warms the process up.
      if (round > 0) samples.push(drained)
    }
  }
  return drains.map(({ sender: { name }, samples }) => ({ name, samples }))
}

const measureAlone = async (
  scene: Scene,
  receiver: Receiver,
  { rates, seconds, backlog }: Plan,
): Promise<Pick<EventsResults, 'delays' | 'memory'>> => {
  const delays: EventsResults['delays'] = []
  for (const perSecond of rates) {
    progress(`${perSecond} changes a second`)
    delays.push({ perSecond, arrivals: await measureDelays(scene, receiver, { perSecond, seconds }) })
  }
  progress(`draining ${backlog} records`)
  return { delays, memory: await measureMemory(scene, receiver, backlog) }
}

const measureAll = async (
  stores: Stores,
  plan: Plan,
): Promise<Pick<EventsResults, 'drains' | 'delays' | 'memory'>> => {
  const stops: (() => Promise<void>)[] = []
  try {
    const receiver = await startReceiver()
    stops.push(() => receiver.stop())
    const peer = await openGraphileWorker(stores, receiver)
    stops.push(() => peer.stop())
    const scene = await openScene(stores, receiver)
    stops.push(() => scene.stop())
    const senders = [
      senderOf(scene, hooksOfTenant),
      peer.senderOf('in order'),
      peer.senderOf('any order'),
      peer.senderOf('any order, batched'),
    ]
    const drains = await measureDrains(senders, receiver, plan)
    await peer.stop()
    return { drains, ...(await measureAlone(scene, receiver, plan)) }
  } finally {
    await Promise.all(stops.map((stop) => stop()))
  }
}

await runBench<Plan, Own<EventsResults>>({
  name: 'events',
  command: new Command()
    .description('measure the deliveries of webhooks: their rate, their delay and their memory')
    .option('--rounds <count>', 'rounds of each sender', wholeNumber, 3)
    .option('--deliveries <count>', 'deliveries of a round', wholeNumber, 10_000)
    .option('--backlog <count>', 'waiting records whose memory is measured', wholeNumber, 100_000)
    .option('--rates <counts>', 'changes a second whose delay is measured', wholeNumbers, [10, 50, 100])
    .option('--seconds <count>', 'length of each rate', wholeNumber, 30),
  versions: () => Object.fromEntries([versionIn('graphile-worker', 'graphile-worker')]),
  measure: async (stores, plan) => ({ plan, ...(await measureAll(stores, plan)) }),
  report: eventsReport,
  judge: judgeEvents,
})
