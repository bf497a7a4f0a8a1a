import { Select, Stack, Text } from '@mantine/core'
import { useTranslation } from '../../translation.ts'

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

/** A filter whose value is found by typing. The caller searches the options. */
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
      // The caller has already searched, and not only the labels.
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
