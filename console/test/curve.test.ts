/** The dashboard's curves, as numbers. */
import { expect, test } from 'vitest'
import { curveOf, marksOf } from '../src/features/dashboard/curve.ts'

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [2500, [0, 1000, 2000, 3000]],
])('an axis up to %i has few marks, all whole and round', (max, marks) => {
  expect(marksOf(max)).toEqual(marks)
})

/** The points of each piece of a path: its start, two controls, and its end. */
const piecesOf = (path: string): [number, number][][] => {
  const [start = '', ...pieces] = path.slice(1).split('C')
  const points = [start, ...pieces].map((piece) =>
    piece.split(' ').map((pair) => pair.split(',').map(Number) as [number, number]),
  )
  return points.slice(1).map((piece, nth) => [points[nth]?.at(-1) ?? [0, 0], ...piece])
}

test('a curve passes through every point, and stays between neighbouring points', () => {
  const ys = [7, 7, 0, 30, 31, 4, 4, 18]
  const pieces = piecesOf(curveOf(ys, 10, 5))
  expect(pieces.map((piece) => piece[0])).toEqual(ys.slice(0, -1).map((y, nth) => [10 + 5 * nth, y]))
  expect(pieces.at(-1)?.at(-1)).toEqual([45, 18])
  for (const piece of pieces) {
    const [from = 0, ...others] = piece.map(([, y]) => y)
    const to = others.at(-1) ?? 0
    // A Bézier curve stays among its control points.
    for (const y of others) {
      expect(y).toBeGreaterThanOrEqual(Math.min(from, to) - 1e-9)
      expect(y).toBeLessThanOrEqual(Math.max(from, to) + 1e-9)
    }
  }
})
