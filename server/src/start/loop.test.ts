import { expect, onTestFinished, test } from 'vitest'
import { parts } from '../../test/harness.ts'
import { eventually } from '../../test/waits.ts'
import { startLoop } from './loop.ts'

const hourMs = 3_600_000

test('a wake begins the next round, however long the pause is', async () => {
  let rounds = 0
  const loop = startLoop(parts.log, {
    failure: '',
    round: async () => void (rounds += 1),
    pauseMs: () => hourMs,
    wokenMs: 1,
  })
  onTestFinished(loop.stop)
  await eventually(() => expect(rounds).toBe(1))
  loop.wake()
  await eventually(() => expect(rounds).toBe(2))
})

test('a wake during a round is not lost', async () => {
  let rounds = 0
  const loop = startLoop(parts.log, {
    failure: '',
    round: async () => {
      rounds += 1
      if (rounds === 2) loop.wake()
    },
    pauseMs: () => hourMs,
    wokenMs: 1,
  })
  onTestFinished(loop.stop)
  loop.wake()
  await eventually(() => expect(rounds).toBe(3))
})
