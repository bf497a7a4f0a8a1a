/** Lists that are here whole, a page of them at a time. */
import { expect, test } from 'vitest'
import { isPastEnd, pageOf, pageSearch } from '../src/components/page-search.ts'

const all = Array.from({ length: 45 }, (_, index) => index)

test('a page holds its part of the list', () => {
  expect(pageOf(all, { page: 2 })).toEqual({ items: all.slice(20, 40), total: 45, page: 2, isCapped: false })
  expect(pageOf(all, { page: 1, size: 50 }).items).toEqual(all)
})

test('behind the last page stands the last one, and of nothing the first', () => {
  expect(pageOf(all, { page: 99 })).toMatchObject({ items: all.slice(40), page: 3 })
  expect(pageOf([], { page: 99 })).toMatchObject({ items: [], page: 1 })
})

test('a page of the service lies behind the end when it is empty and there are fewer pages', () => {
  const empty = { items: [], isCapped: false }
  expect(isPastEnd({ ...empty, total: 45, page: 4 }, {})).toBe(true)
  expect(isPastEnd({ ...empty, total: 0, page: 2 }, {})).toBe(true)
  expect(isPastEnd({ ...empty, total: 0, page: 1 }, {})).toBe(false)
  // Counting has stopped before its rows: it is there all the same.
  expect(isPastEnd({ items: [1], isCapped: true, total: 45, page: 4 }, {})).toBe(false)
})

test('an address leaves out what is the default, and what makes no sense', () => {
  expect(pageSearch({ page: 1, size: 20 })).toEqual({})
  expect(pageSearch({ page: 2, size: 50 })).toEqual({ page: 2, size: 50 })
  expect(pageSearch({ page: 'x', size: 21 })).toEqual({})
})
