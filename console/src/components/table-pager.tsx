import { Group, NativeSelect, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import type { Page } from '@tenantry/client'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from '../translation.ts'
import { useFormat } from '../format.ts'
import { lazyPart } from './lazy-part.tsx'
import {
  defaultPageSize,
  isPastEnd,
  lastPageOf,
  olderPagesOf,
  pageSizes,
  type OnPage,
  type PageSearch,
} from './page-search.ts'
import type { Rows } from './table-model.ts'

// Lazy, because most lists have one page.
const PageLinks = lazyPart(
  async () => (await import('./page-links.tsx')).PageLinks,
  <Skeleton height={26} width={180} />,
)

interface TablePagerProps<T> {
  rows: Rows<T>
  page: PageSearch
  onPage: OnPage
  isEndless?: boolean | undefined
}

/** A page beyond the last one has no rows and no controls, so this hook opens the last one. */
const useLastPage = <T,>({ rows: { data }, page, onPage }: TablePagerProps<T>): void => {
  const isPast = data !== undefined && isPastEnd(data, page)
  const turnBack = useEffectEvent(() =>
    onPage({ ...page, page: lastPageOf(data?.total ?? 0, page.size) }, { replace: true }),
  )
  useEffect(() => {
    if (isPast) turnBack()
  }, [isPast])
}

/** Below an empty list, only screen readers read the total. */
export const TablePager = <T,>(props: TablePagerProps<T>) => {
  const { rows, page, onPage } = props
  const { t } = useTranslation()
  const format = useFormat()
  useLastPage(props)
  if (!rows.data) return null
  const { total } = rows.data
  const said = t('table.total', { count: total, said: format.total(rows.data) })
  return (
    <Group mt={total > 0 ? 'sm' : 0} justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" className="numbers" role="status">
        {total > 0 ? said : <VisuallyHidden>{said}</VisuallyHidden>}
      </Text>
      <Group gap="sm">
        {total > pageSizes[0] && (
          <NativeSelect
            size="xs"
            w={110}
            aria-label={t('table.pageSize')}
            data={pageSizes.map((one) => ({ value: String(one), label: t('table.perPage', { count: one }) }))}
            value={String(page.size ?? defaultPageSize)}
            onChange={(event) => onPage({ size: Number(event.currentTarget.value) })}
          />
        )}
        <Pages {...props} data={rows.data} />
      </Group>
    </Group>
  )
}

const Pages = <T,>({
  rows,
  data,
  page: search,
  onPage,
  isEndless,
}: TablePagerProps<T> & { data: Page<T> }) => {
  const { page = 1, size = defaultPageSize } = search
  const pages = isEndless ? olderPagesOf(data, search) : lastPageOf(data.total, size)
  if (pages === 1) return null
  return (
    <PageLinks
      total={pages}
      // If the URL names a page behind the last one, a list that was loaded whole shows its last page.
      value={rows.isPlaceholderData || isEndless ? page : data.page}
      onChange={(next) => onPage({ page: next, size })}
      isEndless={isEndless}
    />
  )
}
