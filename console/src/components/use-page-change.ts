import { useNavigate } from '@tanstack/react-router'
import { pageSearch, type OnPage, type PageSearch } from './page-search.ts'

/** Opens another page of the list. Keeps search and filters. `beginOf` gives the record at which that page begins. */
export const usePageChange = (
  beginOf: (page: PageSearch) => { before_id?: number | undefined } = () => ({}),
): OnPage => {
  const navigate = useNavigate()
  return (page, how) =>
    void navigate({
      to: '.',
      search: (others) => ({
        ...others,
        page: undefined,
        size: undefined,
        ...pageSearch({ ...page }),
        ...beginOf(page),
      }),
      ...how,
    })
}

/** Sets filters in the URL. A list with new filters starts at its first page. */
export const useFilterChange = <Search extends { search?: string | undefined }>() => {
  const navigate = useNavigate()
  return (change: Partial<Search>): void =>
    void navigate({
      to: '.',
      search: (others) => ({ ...others, page: undefined, ...change }),
      replace: true,
    })
}
