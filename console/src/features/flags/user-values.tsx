import { Pill, TagsInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFirstUsers, useUserSearch } from '../../components/use-user-search.ts'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'

const foundMax = 10
const namesMax = 200

/** The names of users by their ids as texts. A value that is no user of the tenant in scope has none. */
const useNames = (values: string[]): Map<string, string> => {
  const { api, tenantId } = useScope()
  const ids = values
    .filter((value) => /^[1-9]\d{0,14}$/.test(value))
    .slice(0, namesMax)
    .join(',')
  const { data } = useQuery({
    queryKey: ['users', tenantId, 'of', ids],
    queryFn: ({ signal }) => api.users.list({ ids, page_size: namesMax }, { signal }),
    enabled: ids !== '',
    placeholderData: keepPreviousData,
  })
  return new Map(data?.items.map((user) => [String(user.id), nameOf(user)]))
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
  const names = useNames(values)
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
      withScrollArea={false}
      styles={{ options: { maxHeight: 280, overflowY: 'auto' }, option: { overflowWrap: 'anywhere' } }}
      dropdownOpened={isOpen}
      onDropdownOpen={open}
      onDropdownClose={close}
      onOptionSubmit={close}
      renderPill={({ value = '', onRemove }) => (
        <Pill withRemoveButton {...(onRemove && { onRemove })} title={value}>
          {names.get(value) ?? value}
        </Pill>
      )}
    />
  )
}
