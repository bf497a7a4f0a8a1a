import { MultiSelect, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useAskedList } from '../../components/use-asked-list.ts'
import { actionsMax } from './audit.search.ts'
import { filterActions, useAuditTexts } from './audit.texts.ts'
import {
  filterWidth,
  type ActionFilterProps,
  type FilterOption,
  type FilterSelectProps,
} from './filter-inputs.tsx'

interface Asked {
  isAsked: boolean
}

/** A filter whose value the user finds by typing. The component's user searches the options. */
export const FilterSelect = ({ isAsked, ...props }: FilterSelectProps & Asked) => {
  const { label, placeholder, value, options, onSearch, onChange, nothingFound } = props
  const { t } = useTranslation()
  const isAmong = options.some((option) => option.value === value?.value)
  const data = value && !isAmong ? [value, ...options] : options
  return (
    <Select
      {...useAskedList(isAsked)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      w={filterWidth}
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

/** Selects actions, grouped by resource. The user can type a code that this version does not know. */
export const ActionFilter = ({
  label,
  placeholder,
  known,
  chosen,
  onChange,
  isAsked,
}: ActionFilterProps & Asked) => {
  const { t } = useTranslation()
  const { ofAction, ofResource } = useAuditTexts()
  const [typed, setTyped] = useState('')
  const others = /^\w+\.\w+$/.test(typed.trim()) ? [typed.trim()] : []
  const all = [...new Set([...known, ...chosen, ...others])]
  const groups = Map.groupBy(all, (code) => code.split('.')[0] ?? '')
  return (
    <MultiSelect
      {...useAskedList(isAsked)}
      searchable
      clearable
      hidePickedOptions={false}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      w={{ base: chosen.length === 0 ? 'calc(50% - 6px)' : '100%', xs: 'auto' }}
      miw={{ xs: filterWidth.xs }}
      maw={{ xs: 420 }}
      maxValues={actionsMax}
      aria-label={label}
      placeholder={chosen.length === 0 ? placeholder : ''}
      data={[...groups].map(([resource, codes]) => ({
        group: ofResource(resource),
        items: codes.map((code) => ({ value: code, label: ofAction(code) })),
      }))}
      filter={filterActions}
      value={chosen}
      onSearchChange={setTyped}
      onChange={onChange}
      // A short field beside the chosen actions, so that two actions fit on one line.
      styles={{ inputField: { minWidth: '2rem', width: '2rem' } }}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
    />
  )
}
