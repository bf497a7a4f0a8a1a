import { Group, NativeSelect, Pagination, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { Page } from '@tenantry/client'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from '../translation.ts'
import { useFormat } from '../format.ts'
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

export const TablePager = <T,>(props: TablePagerProps<T>) => {
  const { rows, page, onPage } = props
  const { t } = useTranslation()
  const format = useFormat()
  useLastPage(props)
  if (!rows.data) return null
  const { total } = rows.data
  return (
    <Group mt="sm" justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" className="numbers" role="status">
        {t('table.total', { count: total, said: format.total(rows.data) })}
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
  const { t } = useTranslation()
  const { page = 1, size = defaultPageSize } = search
  const pages = isEndless ? olderPagesOf(data, search) : lastPageOf(data.total, size)
  if (pages === 1) return null
  return (
    <Pagination
      size="sm"
      total={pages}
      // If the URL names a page behind the last one, a list that was loaded whole shows its last page.
      value={rows.isPlaceholderData || isEndless ? page : data.page}
      onChange={(next) => onPage({ page: next, size })}
      getItemProps={(one) => ({ 'aria-label': t('table.page', { page: one }) })}
      {...(isEndless ? endless : { getControlProps: (control) => ({ 'aria-label': t(`table.${control}`) }) })}
    />
  )
}

const Newer = () => (
  <>
    <IconChevronLeft size={16} /> {useTranslation().t('table.newer')}
  </>
)

const Older = () => (
  <>
    {useTranslation().t('table.older')} <IconChevronRight size={16} />
  </>
)

/** The pager of an endless list, which fits a narrow screen. */
const endless = {
  previousIcon: Newer,
  nextIcon: Older,
  getControlProps: () => ({ withPadding: true }),
  siblings: 0,
  gap: 4,
}
