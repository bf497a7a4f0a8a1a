import { Group, NativeSelect, Pagination, Text } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import {
  defaultPageSize,
  isPastEnd,
  lastPageOf,
  pageSizes,
  type OnPage,
  type PageSearch,
} from './page-search.ts'
import type { Rows } from './table-model.ts'

interface TablePagerProps<T> {
  rows: Rows<T>
  page: PageSearch
  onPage: OnPage
}

/** Behind the last page there is nothing to see, and no way back: leads to the last one instead. */
const useLastPage = <T,>({ rows: { data }, page, onPage }: TablePagerProps<T>): void => {
  const isPast = data !== undefined && isPastEnd(data, page)
  const turnBack = useEffectEvent(() =>
    onPage({ ...page, page: lastPageOf(data?.total ?? 0, page.size) }, { replace: true }),
  )
  useEffect(() => {
    if (isPast) turnBack()
  }, [isPast])
}

/** How many there are, and the way to the others. */
export const TablePager = <T,>(props: TablePagerProps<T>) => {
  const { rows, onPage } = props
  const { page = 1, size = defaultPageSize } = props.page
  const { t } = useTranslation()
  const format = useFormat()
  useLastPage(props)
  if (!rows.data) return null
  const { total, isCapped } = rows.data
  const pages = lastPageOf(total, size)
  const said = `${format.count(total)}${isCapped ? '+' : ''}`
  return (
    <Group mt="sm" justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" className="numbers" role="status">
        {t('table.total', { count: total, said })}
      </Text>
      <Group gap="sm">
        {total > pageSizes[0] && (
          <NativeSelect
            size="xs"
            w={110}
            aria-label={t('table.pageSize')}
            data={pageSizes.map((one) => ({ value: String(one), label: t('table.perPage', { count: one }) }))}
            value={String(size)}
            onChange={(event) => onPage({ size: Number(event.currentTarget.value) })}
          />
        )}
        {pages > 1 && (
          <Pagination
            size="sm"
            total={pages}
            // What is shown may be another one than was asked for: the last.
            value={rows.isPlaceholderData ? page : rows.data.page}
            onChange={(next) => onPage({ page: next, size })}
            getControlProps={(control) => ({ 'aria-label': t(`table.${control}`) })}
            getItemProps={(one) => ({ 'aria-label': t('table.page', { page: one }) })}
          />
        )}
      </Group>
    </Group>
  )
}
