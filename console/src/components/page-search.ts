import type { Page } from '@tenantry/client'

/** The page of a list, as the address holds it; what is left out is the first page of 20. */
export interface PageSearch {
  page?: number | undefined
  size?: number | undefined
}

export const pageSizes = [20, 50, 100, 200] as const
export const defaultPageSize = 20

type PageSize = (typeof pageSizes)[number]

const isPage = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 1

/** Whether the address names what is open by an id: contract, Requests and responses. */
export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

/** For `validateSearch` of a route with a paged list. */
export const pageSearch = ({ page, size }: Record<string, unknown>): PageSearch => ({
  ...(isPage(page) ? { page } : {}),
  ...(pageSizes.includes(size as PageSize) && size !== defaultPageSize ? { size: size as PageSize } : {}),
})

/** Another page of a list; `replace` for one that nobody chose, so that the way back does not lead to it. */
export type OnPage = (page: PageSearch, how?: { replace: boolean }) => void

/** The number of the last page. */
export const lastPageOf = (total: number, size: number = defaultPageSize): number =>
  Math.max(1, Math.ceil(total / size))

/** Whether a page lies behind the last one, as it does once the rows of the last one are deleted. */
export const isPastEnd = ({ items, total, page }: Page<unknown>, { size }: PageSearch): boolean =>
  items.length === 0 && page > lastPageOf(total, size)

/** The page asked for of a list that is here whole, or the last one when there are fewer. */
export const pageOf = <T>(all: T[], { page = 1, size = defaultPageSize }: PageSearch): Page<T> => {
  const shown = Math.min(page, lastPageOf(all.length, size))
  return {
    items: all.slice((shown - 1) * size, shown * size),
    total: all.length,
    page: shown,
    isCapped: false,
  }
}
