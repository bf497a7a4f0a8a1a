/** Pages of lists, without a browser. */
import { expect, test } from 'vitest'
import { isPastEnd, olderPagesOf, pageOf, pageSearch } from '../src/components/page-search.ts'
import { recordsSearch } from '../src/features/audit/audit.search.ts'

const all = Array.from({ length: 45 }, (_, index) => index)

test('a page holds its part of the list', () => {
  expect(pageOf(all, { page: 2 })).toEqual({ items: all.slice(20, 40), total: 45, page: 2, isCapped: false })
  expect(pageOf(all, { page: 1, size: 50 }).items).toEqual(all)
})

test('a number behind the last page gives the last page, and an empty list has one page', () => {
  expect(pageOf(all, { page: 99 })).toMatchObject({ items: all.slice(40), page: 3 })
  expect(pageOf([], { page: 99 })).toMatchObject({ items: [], page: 1 })
})

test('an empty page of the service lies behind the end if there are fewer pages', () => {
  const empty = { items: [], isCapped: false }
  expect(isPastEnd({ ...empty, total: 45, page: 4 }, {})).toBe(true)
  expect(isPastEnd({ ...empty, total: 0, page: 2 }, {})).toBe(true)
  expect(isPastEnd({ ...empty, total: 0, page: 1 }, {})).toBe(false)
  // The service stopped counting before this page, but the page has rows.
  expect(isPastEnd({ items: [1], isCapped: true, total: 45, page: 4 }, {})).toBe(false)
})

test('an address leaves out defaults and invalid values', () => {
  expect(pageSearch({ page: 1, size: 20 })).toEqual({})
  expect(pageSearch({ page: 2, size: 50 })).toEqual({ page: 2, size: 50 })
  expect(pageSearch({ page: 'x', size: 21 })).toEqual({})
})

test('an endless list offers near pages, and the next one as long as there is one', () => {
  const full = { items: all.slice(0, 20), total: 10_000, page: 1, isCapped: false }
  expect(olderPagesOf(full, {})).toBe(10)
  expect(olderPagesOf(full, { page: 37 })).toBe(38)
  expect(olderPagesOf(full, { page: 500 })).toBe(500)
  expect(olderPagesOf({ ...full, isCapped: true }, { page: 500 })).toBe(501)
  expect(olderPagesOf({ ...full, total: 45 }, {})).toBe(3)
  expect(olderPagesOf({ ...full, items: [1], isCapped: true }, { page: 700 })).toBe(700)
})

test('the first page of records begins at the newest one', () => {
  expect(recordsSearch({ before_id: 7 })).toEqual({ page: 2, before_id: 7 })
  expect(recordsSearch({ before_id: 7, page: 1 })).toEqual({ page: 2, before_id: 7 })
  expect(recordsSearch({ before_id: 7, page: 9, id: 3 })).toEqual({ page: 9, before_id: 7, id: 3 })
  expect(recordsSearch({ before_id: 0 })).toEqual({})
})
