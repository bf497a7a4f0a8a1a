import { Button } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazyChoice } from '../../components/lazy-choice.tsx'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { lastOf, type Range } from './audit.search.ts'

export interface FilterOption {
  value: string
  label: string
  /** Distinguishes options with equal labels. */
  hint: string
}

export interface FilterSelectProps {
  label: string
  placeholder: string
  value: FilterOption | undefined
  options: FilterOption[]
  onSearch: (typed: string) => void
  onChange: (value: string | undefined) => void
  nothingFound?: string
}

export const filterWidth = { base: 'calc(50% - 6px)', xs: 176 }

export const FilterSelect = lazyChoice<FilterSelectProps>(
  async () => (await import('./filter-choices.tsx')).FilterSelect,
  ({ label, placeholder }) => ({ 'aria-label': label, placeholder, w: filterWidth }),
  ({ value }) => value === undefined,
)

export interface ActionFilterProps {
  label: string
  placeholder: string
  known: string[]
  chosen: string[]
  onChange: (codes: string[]) => void
}

export const ActionFilter = lazyChoice<ActionFilterProps>(
  async () => (await import('./filter-choices.tsx')).ActionFilter,
  ({ label, placeholder }) => ({ 'aria-label': label, placeholder, w: filterWidth }),
  ({ chosen }) => chosen.length === 0,
)

const TimePopover = lazyPopup('dialog', async () => (await import('./time-popover.tsx')).TimePopover)

interface TimeFilterProps {
  range: Range
  onChange: (range: Range) => void
}

const useRangeText = ({ from, to }: Range): string => {
  const { t } = useTranslation()
  const format = useFormat()
  const first = from === undefined ? '' : format.moment(from)
  const last = to === undefined ? '' : format.moment(lastOf(to))
  if (first && last) return `${first} – ${last}`
  if (first) return t('auditLog.since', { moment: first })
  return last ? t('auditLog.until', { moment: last }) : t('auditLog.anyTime')
}

export const TimeFilter = ({ range, onChange }: TimeFilterProps) => {
  const { t } = useTranslation()
  const text = useRangeText(range)
  return (
    <TimePopover range={range} onChange={onChange}>
      <Button
        variant="default"
        fw={400}
        leftSection={<IconCalendar size={16} stroke={1.75} />}
        aria-label={`${t('auditLog.time')}: ${text}`}
      >
        {text}
      </Button>
    </TimePopover>
  )
}
