import { expect, test } from 'vitest'
import { createRoom } from './memory-room.ts'

test('work that does not fit waits for its turn, and later work does not overtake it', async () => {
  const inRoom = createRoom(512)
  const ends = [256, 200, 100, 10].map((bytes) => ({ bytes, ...Promise.withResolvers<void>() }))
  const started: number[] = []
  const works = ends.map(({ bytes, promise }) =>
    inRoom(bytes, async () => {
      started.push(bytes)
      await promise
    }),
  )
  await Promise.resolve()
  expect(started).toEqual([256, 200])
  ends[1]?.resolve()
  await works[1]
  await Promise.resolve()
  expect(started).toEqual([256, 200, 100, 10])
  for (const { resolve } of ends) resolve()
  await Promise.all(works)
})

test('work that fails gives its memory back', async () => {
  const inRoom = createRoom(512)
  const failing = inRoom(512, async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await inRoom(512, async () => 'runs')).toBe('runs')
})
