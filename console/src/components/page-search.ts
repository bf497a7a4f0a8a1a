import type { Page } from '@tenantry/client'

/** The page of a list, as the URL holds it. Without the fields, it is the first page of 20 rows. */
export interface PageSearch {
  page?: number | undefined
  size?: number | undefined
}

export const pageSizes = [20, 50, 100, 200] as const
export const defaultPageSize = 20

type PageSize = (typeof pageSizes)[number]

const isPage = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 1

/** The form of an id: docs/contract.md, "Requests and responses". */
export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

/** True if the URL holds a text. The router reads a text of digits as a number. */
export const isText = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

/** For `validateSearch` of a route with a paged list. */
export const pageSearch = ({ page, size }: Record<string, unknown>): PageSearch => ({
  ...(isPage(page) ? { page } : {}),
  ...(pageSizes.includes(size as PageSize) && size !== defaultPageSize ? { size: size as PageSize } : {}),
})

/** Opens another page. With `replace`, the history does not contain it, because the user did not choose it. */
export type OnPage = (page: PageSearch, how?: { replace: boolean }) => void

export const lastPageOf = (total: number, size: number = defaultPageSize): number =>
  Math.max(1, Math.ceil(total / size))

/** The number of pages that a long list offers by number. Older leads to the pages after them. */
const nearPages = 10

/** The number of the last page that an endless list offers beside `page`. */
export const olderPagesOf = (
  { items, total, isCapped }: Page<unknown>,
  { page = 1, size = defaultPageSize }: PageSearch,
): number => {
  if (items.length < size) return page
  const last = isCapped ? Infinity : lastPageOf(total, size)
  return Math.max(page, Math.min(last, Math.max(nearPages, page + 1)))
}

/** True if the page is behind the last page, for example after the deletion of its rows. */
export const isPastEnd = ({ items, total, page }: Page<unknown>, { size }: PageSearch): boolean =>
  items.length === 0 && page > lastPageOf(total, size)

/** The requested page of a list that was loaded whole. If there are fewer pages, the last one. */
export const pageOf = <T>(all: T[], { page = 1, size = defaultPageSize }: PageSearch): Page<T> => {
  const shown = Math.min(page, lastPageOf(all.length, size))
  return {
    items: all.slice((shown - 1) * size, shown * size),
    total: all.length,
    page: shown,
    isCapped: false,
  }
}
