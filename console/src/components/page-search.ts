/** The page of a list, as the address holds it; what is left out is the first page of 20. */
export interface PageSearch {
  page?: number | undefined
  size?: number | undefined
}

export const pageSizes = [20, 50, 100, 200] as const
export const defaultPageSize = 20

type PageSize = (typeof pageSizes)[number]

const isPage = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 1

/** For `validateSearch` of a route with a paged list. */
export const pageSearch = ({ page, size }: Record<string, unknown>): PageSearch => ({
  ...(isPage(page) ? { page } : {}),
  ...(pageSizes.includes(size as PageSize) && size !== defaultPageSize ? { size: size as PageSize } : {}),
})
