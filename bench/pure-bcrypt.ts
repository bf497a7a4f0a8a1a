/** `node pure-bcrypt.ts <cost> <at a time> <seconds>` verifies hashes and does nothing else; it prints their number. */
import { hash, verify } from '@node-rs/bcrypt'

const [cost = 0, slots = 0, seconds = 0] = process.argv.slice(2).map(Number)
const password = 'a bench of Tenantry'
const stored = await hash(password, cost)
const startedAt = performance.now()
const delays: number[] = []

const work = async () => {
  while (performance.now() - startedAt < seconds * 1000) {
    const from = performance.now()
    await verify(password, stored)
    delays.push(performance.now() - from)
  }
}

await Promise.all(Array.from({ length: slots }, work))
const elapsed = (performance.now() - startedAt) / 1000
const { user, system } = process.cpuUsage()
const cpuMicros = (user + system) / delays.length
process.stdout.write(JSON.stringify({ perSecond: delays.length / elapsed, delays, cpuMicros }))
