import {
  Button,
  MultiSelect,
  Popover,
  Select,
  Skeleton,
  Stack,
  Text,
  type ComboboxItem,
  type ComboboxParsedItem,
  type OptionsFilter,
} from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { actionsMax, lastOf, type Range } from './audit.search.ts'
import { useAuditTexts } from './audit.texts.ts'

export interface FilterOption {
  value: string
  label: string
  /** Distinguishes options with equal labels. */
  hint: string
}

interface FilterSelectProps {
  label: string
  placeholder: string
  value: FilterOption | undefined
  options: FilterOption[]
  onSearch: (typed: string) => void
  onChange: (value: string | undefined) => void
  nothingFound?: string
}

/** A filter whose value the user finds by typing. The component's user searches the options. */
export const FilterSelect = (props: FilterSelectProps) => {
  const { label, placeholder, value, options, onSearch, onChange, nothingFound } = props
  const { t } = useTranslation()
  const isAmong = options.some((option) => option.value === value?.value)
  const data = value && !isAmong ? [value, ...options] : options
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      w={{ base: 'calc(50% - 6px)', xs: 190 }}
      aria-label={label}
      placeholder={placeholder}
      data={data}
      value={value?.value ?? null}
      // Keeps all options: they are the result of a search that also covers other fields than the labels.
      filter={({ options: all }) => all}
      onSearchChange={(typed) => onSearch(typed === value?.label ? '' : typed)}
      onChange={(next) => onChange(next ?? undefined)}
      {...(nothingFound === undefined ? {} : { nothingFoundMessage: nothingFound })}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      renderOption={({ option }) => <Option option={option as FilterOption} />}
    />
  )
}

const Option = ({ option: { label, hint } }: { option: FilterOption }) => (
  <Stack gap={0} miw={0}>
    <Text size="sm" truncate>
      {label}
    </Text>
    {hint !== '' && (
      <Text size="xs" c="dimmed" truncate>
        {hint}
      </Text>
    )}
  </Stack>
)

/** Matches actions by text, code and name of the resource. */
const filter: OptionsFilter = ({ options, search }) => {
  const sought = search.trim().toLowerCase()
  const isSought = (text: string): boolean => text.toLowerCase().includes(sought)
  const isFound = ({ value, label }: ComboboxItem): boolean => isSought(value) || isSought(label)
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('items' in option)) return isFound(option) ? [option] : []
    const isWhole = typeof option.group === 'string' && isSought(option.group)
    const items = isWhole ? option.items : option.items.filter(isFound)
    return items.length === 0 ? [] : [{ ...option, items }]
  })
}

interface ActionFilterProps {
  known: string[]
  chosen: string[]
  onChange: (codes: string[]) => void
}

/** Selects actions, grouped by resource. The user can type a code that this version does not know. */
export const ActionFilter = ({ known, chosen, onChange }: ActionFilterProps) => {
  const { t } = useTranslation()
  const { ofAction, ofResource } = useAuditTexts()
  const [typed, setTyped] = useState('')
  const others = /^\w+\.\w+$/.test(typed.trim()) ? [typed.trim()] : []
  const all = [...new Set([...known, ...chosen, ...others])]
  const groups = Map.groupBy(all, (code) => code.split('.')[0] ?? '')
  return (
    <MultiSelect
      searchable
      clearable
      hidePickedOptions={false}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      w={{ base: chosen.length === 0 ? 'calc(50% - 6px)' : '100%', xs: 'auto' }}
      miw={{ xs: 190 }}
      maw={{ xs: 420 }}
      maxValues={actionsMax}
      aria-label={t('audit.action')}
      placeholder={chosen.length === 0 ? t('audit.anyAction') : ''}
      data={[...groups].map(([resource, codes]) => ({
        group: ofResource(resource),
        items: codes.map((code) => ({ value: code, label: ofAction(code) })),
      }))}
      filter={filter}
      value={chosen}
      onSearchChange={setTyped}
      onChange={onChange}
      // A short field beside the chosen actions, so that two actions fit on one line.
      styles={{ inputField: { minWidth: '2rem', width: '2rem' } }}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
    />
  )
}

const TimeChoice = lazyPart(
  async () => (await import('./time-choice.tsx')).TimeChoice,
  <Skeleton height={400} width={270} />,
)

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
  if (first) return t('audit.since', { moment: first })
  return last ? t('audit.until', { moment: last }) : t('audit.anyTime')
}

export const TimeFilter = ({ range, onChange }: TimeFilterProps) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const text = useRangeText(range)
  const choose = (chosen: Range): void => {
    setOpen(false)
    onChange(chosen)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={16} stroke={1.75} />}
          aria-label={`${t('audit.time')}: ${text}`}
          onClick={() => setOpen(!isOpen)}
        >
          {text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <TimeChoice range={range} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}
