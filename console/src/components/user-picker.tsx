import { Select } from '@mantine/core'
import { useState } from 'react'
import { nameOf } from '../format.ts'
import { useTranslation } from '../translation.ts'
import { useAskedList } from './use-asked-list.ts'
import { useFirstUsers, useSearchState, useUserSearch } from './use-user-search.ts'

const foundMax = 10

export interface UserPickerProps {
  label: string
  description: string
  onChange: (id: string) => void
}

/** Finds one user of the tenant in scope by name or e-mail. */
export const UserPicker = ({ onChange, isAsked, ...texts }: UserPickerProps & { isAsked: boolean }) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const first = useFirstUsers(foundMax)
  const search = useUserSearch(typed, foundMax)
  const stateOf = useSearchState()
  const users = typed.trim() === '' || chosen !== null ? [...first, ...search.items] : search.items
  const options = new Map(users.map((user) => [String(user.id), `${nameOf(user)} (${user.email})`]))
  return (
    <Select
      {...texts}
      {...useAskedList(isAsked)}
      data={[...options].map(([value, label]) => ({ value, label }))}
      searchable
      value={chosen}
      onChange={(id) => {
        setChosen(id)
        if (id !== null) onChange(id)
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      // Keeps all options, because the service has already searched.
      filter={({ options: all }) => all}
      nothingFoundMessage={stateOf(search, t('shell.nothing'))}
    />
  )
}
