import { Pill, TagsInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFirstUsers, useUserSearch } from '../../components/use-user-search.ts'
import { readNames } from '../../components/user-names.ts'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'

const foundMax = 10

const isId = (value: string): boolean => /^[1-9]\d{0,14}$/.test(value)

/** The name of the user with this id. A value that is no user of the tenant in scope stays. */
const useNames = (values: string[]) => {
  const { api, tenantId } = useScope()
  const ids = values.filter(isId).map(Number)
  const { data } = useQuery({
    queryKey: ['users', tenantId, 'of', ids],
    queryFn: ({ signal }) => readNames(api, ids, signal),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return (value: string): string => (isId(value) && data?.get(Number(value))) || value
}

export interface ValuesProps {
  values: string[]
  onChange: (values: string[]) => void
}

/** Ids of users. The user can type other values, such as ids of other tenants. */
export const UserValues = ({ values, onChange }: ValuesProps) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isOpen, { open, close }] = useDisclosure()
  const first = useFirstUsers(foundMax)
  const { items } = useUserSearch(typed, foundMax)
  const offered = typed.trim() === '' ? first : items
  const shownOf = useNames(values)
  return (
    <TagsInput
      flex="2 1 12rem"
      label={t('flags.values')}
      placeholder={values.length === 0 ? t('flags.usersHint') : ''}
      value={values}
      onChange={onChange}
      data={offered.map((user) => ({ value: String(user.id), label: `${nameOf(user)} (${user.email})` }))}
      // Keeps all options, because the service has already searched.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={(text) => {
        setTyped(text)
        // A choice has closed the list, and the field still has the focus.
        if (text !== '') open()
      }}
      // A typed part of a name is no id.
      acceptValueOnBlur={items.length === 0}
      styles={{ option: { overflowWrap: 'anywhere' } }}
      dropdownOpened={isOpen}
      onDropdownOpen={open}
      onDropdownClose={close}
      onOptionSubmit={close}
      renderPill={({ value = '', onRemove }) => (
        <Pill withRemoveButton {...(onRemove && { onRemove })} title={value}>
          {shownOf(value)}
        </Pill>
      )}
    />
  )
}
