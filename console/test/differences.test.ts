/** Reading the detail of an audit record. */
import { expect, test } from 'vitest'
import { differencesOf } from '../src/features/audit/differences.ts'

const ofUpdate = (detail: Record<string, unknown>) => differencesOf({ action: 'setting.update', detail })

test('each changed field has its old and its new value', () => {
  expect(ofUpdate({ nickname: { from: 'Ada', to: '' }, status: { from: 1, to: 0 } })).toEqual({
    changes: [
      { kind: 'value', field: 'nickname', from: 'Ada', to: '' },
      { kind: 'value', field: 'status', from: 1, to: 0 },
    ],
    rest: {},
    hasBoth: true,
  })
})

test('a changed list shows added and removed items, and the number kept', () => {
  const { changes } = ofUpdate({ permissions: { from: ['a', 'b', 'c'], to: ['b', 'd'] } })
  expect(changes).toEqual([
    { kind: 'list', field: 'permissions', added: ['d'], removed: ['a', 'c'], kept: 1 },
  ])
})

test.each([
  ['are in another order', ['a', 'b'], ['b', 'a']],
  ['are in another order, and more', ['a', 'b'], ['b', 'a', 'c']],
  ['hold something twice', ['a', 'a'], ['a']],
  ['hold numbers in place of texts', ['1'], [1]],
  ['are empty where there was none', null, []],
  ['hold objects', [{ a: 1 }], null],
])('lists that %s are shown whole, before and after', (_, from, to) => {
  expect(ofUpdate({ value: { from, to } }).changes).toEqual([{ kind: 'value', field: 'value', from, to }])
})

test('fields of created and deleted resources have one side', () => {
  const created = differencesOf({
    action: 'role.create',
    detail: { name: { from: null, to: 'Editors' }, tags: { from: null, to: ['x'] } },
  })
  expect(created.hasBoth).toBe(false)
  expect(created.changes[1]).toEqual({ kind: 'list', field: 'tags', added: ['x'], removed: [], kept: 0 })
  const deleted = { action: 'role.delete', detail: { name: { from: 'Editors', to: null } } }
  expect(differencesOf(deleted).hasBoth).toBe(false)
})

test('a change to or from null has both sides', () => {
  expect(ofUpdate({ value: { from: 90, to: null } }).hasBoth).toBe(true)
  expect(ofUpdate({ value: { from: null, to: 90 } }).hasBoth).toBe(true)
})

test('a detail that is no change is kept unchanged', () => {
  const { changes, rest } = ofUpdate({ reason: 'none', more: { from: 1 } })
  expect(changes).toEqual([])
  expect(rest).toEqual({ reason: 'none', more: { from: 1 } })
})
