import { Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface FilterOption {
  value: string
  label: string
  /** What tells it from others of the same label. */
  hint: string
}

interface FilterSelectProps {
  label: string
  /** What is said while nothing is chosen. */
  placeholder: string
  value: FilterOption | undefined
  /** Those that what is typed finds. */
  options: FilterOption[]
  onSearch: (typed: string) => void
  onChange: (value: string | undefined) => void
  nothingFound?: string
}

/** A filter to choose by typing; who shows it finds the options. */
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
      // Found already, by more than their labels.
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
