import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { useSearch } from '@tanstack/react-router'
import { useFilterChange } from './use-page-change.ts'

interface SearchInputProps {
  label: string
  value: string
  /** The longest text that the service takes. */
  maxLength?: number
  /** Called when the user pauses typing. */
  onChange: (value: string) => void
}

/** The typed text. `value` follows later: while the user types, it can hold an earlier text. */
const useTyped = (value: string, onChange: (value: string) => void) => {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  /** Texts already passed to `onChange` that have not come back as `value` yet. */
  const [reported, setReported] = useState<string[]>([])
  const report = useDebouncedCallback((text: string) => {
    if (text === (reported.at(-1) ?? value)) return
    setReported([...reported, text])
    onChange(text)
  }, 300)
  if (value !== seen) {
    setSeen(value)
    const at = reported.lastIndexOf(value)
    setReported(at < 0 ? [] : reported.slice(at + 1))
    // Another source has changed the value, such as the browser's history.
    if (at < 0) setTyped(value)
  }
  const change = (text: string): void => {
    setTyped(text)
    report(text.trim())
  }
  return { typed, change }
}

export const SearchInput = ({ label, value, maxLength, onChange }: SearchInputProps) => {
  const { t } = useTranslation()
  const { typed, change } = useTyped(value, onChange)
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      // On narrow screens the field takes a whole line.
      flex={{ base: '1 1 220px', sm: '0 0 240px' }}
      maxLength={maxLength}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={16} />}
      rightSection={
        typed === '' ? null : (
          <CloseButton size="sm" aria-label={t('common.clear')} onClick={() => change('')} />
        )
      }
    />
  )
}

/** Searches with the parameter `search` of the URL. */
export const AddressSearch = ({ label, maxLength = 64 }: Pick<SearchInputProps, 'label' | 'maxLength'>) => {
  const { search = '' } = useSearch({ strict: false }) as { search?: string }
  const filter = useFilterChange()
  return (
    <SearchInput
      label={label}
      maxLength={maxLength}
      value={search}
      onChange={(text) => filter({ search: text || undefined })}
    />
  )
}
