import { MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUserSearch } from '../../components/use-user-search.ts'
import { useMe } from '../../session/me.ts'

export interface Recipient {
  id: number
  name: string
  email: string
}

const foundMax = 10

interface RecipientsProps {
  label: string
  chosen: Recipient[]
  onChange: (chosen: Recipient[]) => void
}

const useFound = (typed: string): Recipient[] => {
  const { t } = useTranslation()
  const { can } = useMe()
  const found = useUserSearch(typed, foundMax)
  if (can('user:read')) {
    return found.map(({ id, nickname, username, email }) => ({ id, name: nickname || username, email }))
  }
  const id = Number(typed)
  return Number.isSafeInteger(id) && id > 0 ? [{ id, name: t('common.userNumber', { id }), email: '' }] : []
}

/** Users to choose by name; by number for those who may not see users. */
export const Recipients = ({ chosen, onChange, ...input }: RecipientsProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [typed, setTyped] = useState('')
  const found = useFound(typed)
  const all = [...chosen, ...found.filter(({ id }) => chosen.every((one) => one.id !== id))]
  return (
    <MultiSelect
      {...input}
      searchable
      required
      hidePickedOptions
      placeholder={t(can('user:read') ? 'notifications.typeUser' : 'notifications.typeUserNumber')}
      data={all.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={chosen.map(({ id }) => String(id))}
      onChange={(ids) => {
        onChange(all.filter(({ id }) => ids.includes(String(id))))
        setTyped('')
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      // Found already, by more than their names.
      filter={({ options }) => options}
      renderOption={({ option }) => <Option user={all.find(({ id }) => String(id) === option.value)} />}
      data-autofocus
    />
  )
}

const Option = ({ user }: { user: Recipient | undefined }) => (
  <Stack gap={0} miw={0}>
    <Text size="sm" truncate>
      {user?.name}
    </Text>
    <Text size="xs" c="dimmed" truncate>
      {user?.email}
    </Text>
  </Stack>
)
