/** How the detail of an audit record is read. */
import { expect, test } from 'vitest'
import { differencesOf } from '../src/features/audit/differences.ts'

test('each field of a change stands with what it was and what it became', () => {
  expect(differencesOf({ nickname: { from: 'Ada', to: '' }, status: { from: 1, to: 0 } })).toEqual({
    changes: [
      { kind: 'value', field: 'nickname', from: 'Ada', to: '' },
      { kind: 'value', field: 'status', from: 1, to: 0 },
    ],
    rest: {},
    hasBoth: true,
  })
})

test('of lists it is told what came, what went, and how much stayed', () => {
  const { changes } = differencesOf({ permissions: { from: ['a', 'b', 'c'], to: ['b', 'd'] } })
  expect(changes).toEqual([
    { kind: 'list', field: 'permissions', added: ['d'], removed: ['a', 'c'], kept: 1 },
  ])
})

test('what came to be, or went, has one side alone', () => {
  const created = differencesOf({ name: { from: null, to: 'Editors' }, tags: { from: null, to: ['x'] } })
  expect(created.hasBoth).toBe(false)
  expect(created.changes[1]).toEqual({ kind: 'list', field: 'tags', added: ['x'], removed: [], kept: 0 })
  expect(differencesOf({ name: { from: 'Editors', to: null } }).hasBoth).toBe(false)
})

test('lists of objects are values, and what is no change at all is kept as it is', () => {
  const from = [{ a: 1 }]
  const { changes, rest } = differencesOf({ value: { from, to: null }, reason: 'none', more: { from: 1 } })
  expect(changes).toEqual([{ kind: 'value', field: 'value', from, to: null }])
  expect(rest).toEqual({ reason: 'none', more: { from: 1 } })
})
