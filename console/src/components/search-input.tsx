import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

interface SearchInputProps {
  label: string
  value: string
  /** Called once the typing pauses. */
  onChange: (value: string) => void
}

export const SearchInput = ({ label, value, onChange }: SearchInputProps) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const report = useDebouncedCallback(onChange, 300)
  const [seen, setSeen] = useState(value)
  // Going back in the history changes it from outside; what was typed here comes back without its spaces.
  if (value !== seen) {
    setSeen(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const change = (text: string): void => {
    setTyped(text)
    report(text.trim())
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      miw={220}
      // Alone in its line where there is no room beside it.
      flex={{ base: '1 1 220px', sm: '0 0 auto' }}
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
