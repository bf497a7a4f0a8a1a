/** The attributes in lists of users and of tenants. */
import { ActionIcon } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { labelOf, lineOf, type AttributeValues } from '../../components/attribute-values.ts'
import { Cut } from '../../components/cells.tsx'
import { FilterPill } from '../../components/filter-pill.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import type { Column } from '../../components/table-model.ts'
import { useFilterChange } from '../../components/use-page-change.ts'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import { filterName, filtersIn, useListed, type Subject } from './attributes.queries.ts'
import type { AttributeSearch } from './attributes.search.ts'

const FilterDialog = lazyPart(async () => (await import('./filter-dialog.tsx')).FilterDialog)

/** A column for each attribute, hidden until the user chooses it. */
export const useAttributeColumns = (subject: Subject): Column<{ attributes?: AttributeValues }>[] => {
  const { language } = useTranslation()
  return useListed(subject).map((attribute) => ({
    key: filterName(attribute.key),
    width: 9,
    header: isolated(labelOf(attribute, language)),
    isHidden: true,
    cell: ({ attributes = {} }) => <Cut text={lineOf(attributes[attribute.key])} />,
  }))
}

/** The filters of a list by attributes, and a window that sets them. The URL holds them. */
export const AttributeFilters = ({ subject }: { subject: Subject }) => {
  const { t, language } = useTranslation()
  const listed = useListed(subject)
  const filters = filtersIn(useSearch({ strict: false }))
  const change = useFilterChange<AttributeSearch & { search?: string }>()
  const [isOpen, setOpen] = useState(false)
  const indexed = listed.filter((one) => one.indexed)
  const nameOf = (key: string): string => {
    const attribute = indexed.find((one) => one.key === key)
    return isolated(attribute ? labelOf(attribute, language) : key)
  }
  return (
    <>
      {filters.map(([key, text]) => (
        <FilterPill
          key={key}
          text={`${nameOf(key)}: ${isolated(text)}`}
          onRemove={() => change({ [filterName(key)]: undefined })}
        />
      ))}
      {indexed.length > 0 && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('attributes.filter')}
          data-hint={t('attributes.filter')}
          onClick={() => setOpen(true)}
        >
          <IconFilter size={18} />
        </ActionIcon>
      )}
      {isOpen && <FilterDialog indexed={indexed} filters={filters} onClose={() => setOpen(false)} />}
    </>
  )
}
