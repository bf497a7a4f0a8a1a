import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Replica } from '../lab/replica.ts'

/** A module that a service loads first, as an option of Node. */
export const moduleOf = (source: string): string =>
  `--import=data:text/javascript;base64,${Buffer.from(source).toString('base64')}`

const clockAhead = (ms: number): string => `const Real = Date; let ms = ${ms};
globalThis.Date = class extends Real { constructor(...a) { super(...(a.length ? a : [Real.now() + ms])) } static now() { return Real.now() + ms } };`

/** A module that the server loads first. It sets the clock ahead by this many seconds and changes nothing else. */
export const shiftedBy = (seconds: number): string => moduleOf(clockAhead(seconds * 1000))

const told = (seconds: number): string => `the clock is ahead by ${seconds} s`

/** A module that sets the clock ahead, by the seconds in a file, at each SIGUSR2. */
export const movedBy = (file: string): string =>
  moduleOf(`import { readFileSync } from 'node:fs'; ${clockAhead(0)}
process.on('SIGUSR2', () => { const seconds = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); ms = seconds * 1000; console.log('${told(0)}'.replace('0', seconds)) })`)

/** Sets the clock of a running service ahead, which was started with `movedBy`. */
export const moveClock = async (replica: Replica, file: string, seconds: number): Promise<void> => {
  await writeFile(file, String(seconds))
  replica.signal('SIGUSR2')
  const isTold = () => replica.log.some((line) => line.includes(told(seconds)))
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(20)) if (isTold()) return
  throw new Error('the clock of the service did not move')
}
