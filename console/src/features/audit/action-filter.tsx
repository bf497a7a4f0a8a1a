import { MultiSelect, type ComboboxItem, type ComboboxParsedItem, type OptionsFilter } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { actionsMax } from './audit.search.ts'
import { useAuditTexts } from './audit.texts.ts'

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
      // The field beside selected actions is short, so that two of them fit into one line.
      styles={{ inputField: { minWidth: '2rem', width: '2rem' } }}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
    />
  )
}
