/** The time from a change to its receipt, and the memory that a backlog takes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { forgetPeak, peakMB, residentMB } from '../process.ts'
import { post } from '../service.ts'
import type { Arrivals, Receiver } from './drain.ts'
import { fillRecords, hooksOfTenant, setHooks, type Scene } from './tenantry.ts'

/** Changes in a steady rate, each in the next tenant. */
const change = async ({ tenants }: Scene, perSecond: number, seconds: number): Promise<number> => {
  const begun = performance.now()
  const sent: Promise<unknown>[] = []
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const { caller, userId } = tenants[number % tenants.length] ?? {}
    if (!caller) throw new Error('there are no tenants')
    sent.push(post(caller, '/notifications', { user_id: userId, title: `change ${number}` }))
    const due = begun + ((number + 1) * 1000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
  }
  await Promise.all(sent)
  return sent.length
}

/**
 * Measures from the moment that a record carries, which is before its commit, to the arrival. Each change goes to all
 * hooks of its tenant.
 */
export const measureDelays = async (
  scene: Scene,
  receiver: Receiver,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Arrivals> => {
  await setHooks(scene, hooksOfTenant, 1)
  await change(scene, perSecond, 3)
  await sleep(3000)
  await receiver.reset()
  const changes = await change(scene, perSecond, seconds)
  await receiver.until(changes * hooksOfTenant)
  await setHooks(scene, hooksOfTenant, 0)
  return receiver.figures()
}

export interface Memory {
  records: number
  /** Before the first delivery, at most during the deliveries, and after the last one. */
  beforeMB: number
  peakMB: number
  afterMB: number
}

/** Drains a backlog by one hook of each tenant. Earlier rounds have warmed the process up. */
export const measureMemory = async (scene: Scene, receiver: Receiver, records: number): Promise<Memory> => {
  const { pid } = scene.server
  await fillRecords(scene, records)
  await sleep(5000)
  await receiver.reset()
  const beforeMB = residentMB(pid)
  forgetPeak(pid)
  await setHooks(scene, 1, 1)
  await receiver.until(records)
  const memory = { records, beforeMB, peakMB: peakMB(pid), afterMB: residentMB(pid) }
  await setHooks(scene, 1, 0)
  return memory
}
