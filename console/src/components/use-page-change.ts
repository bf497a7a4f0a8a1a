import { useNavigate } from '@tanstack/react-router'
import { pageSearch, type OnPage } from './page-search.ts'

/** Leads to another page of the list that is shown; search and filters stay. */
export const usePageChange = (): OnPage => {
  const navigate = useNavigate()
  return (page, how) =>
    void navigate({
      to: '.',
      search: (others) => ({ ...others, page: undefined, size: undefined, ...pageSearch({ ...page }) }),
      ...how,
    })
}
