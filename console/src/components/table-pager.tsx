import { Group, NativeSelect, Pagination, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { defaultPageSize, pageSizes, type PageSearch } from './page-search.ts'
import type { Rows } from './table-model.ts'

interface TablePagerProps<T> {
  rows: Rows<T>
  page: PageSearch
  onPage: (page: PageSearch) => void
}

/** How many there are, and the way to the others. */
export const TablePager = <T,>({
  rows,
  page: { page = 1, size = defaultPageSize },
  onPage,
}: TablePagerProps<T>) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (!rows.data) return null
  const { total, isCapped } = rows.data
  const pages = Math.max(1, Math.ceil(total / size))
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
            value={page}
            onChange={(next) => onPage({ page: next, size })}
            getControlProps={(control) => ({ 'aria-label': t(`table.${control}`) })}
            getItemProps={(one) => ({ 'aria-label': t('table.page', { page: one }) })}
          />
        )}
      </Group>
    </Group>
  )
}
