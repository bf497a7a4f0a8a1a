import { Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { ManyChoice } from '../../components/many-choice.tsx'
import { useFirstUsers, useSearchState, useUserSearch } from '../../components/use-user-search.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'

export interface Recipient {
  id: number
  name: string
  email: string
}

const foundMax = 10

interface RecipientsProps {
  label: string
  error?: ReactNode
  chosen: Recipient[]
  onChange: (chosen: Recipient[]) => void
  /** Opens the list on focus. Set it if the list covers no other field. */
  openOnFocus?: boolean
}

/** The users that match the typed text, or else the first users. If there are none, a message. */
const useFound = (typed: string): { found: Recipient[]; nothing: string | undefined } => {
  const { t } = useTranslation()
  const { can } = useMe()
  const users = useUserSearch(typed, foundMax)
  const first = useFirstUsers(foundMax)
  const stateOf = useSearchState()
  const id = Number(typed)
  if (!can('user:read') && Number.isSafeInteger(id) && id > 0) {
    return { found: [{ id, name: t('common.userNumber', { id }), email: '' }], nothing: undefined }
  }
  const isTyped = typed.trim() !== ''
  const found = (isTyped ? users.items : first).map((user) => ({ ...user, name: nameOf(user) }))
  return { found, nothing: isTyped ? stateOf(users, t('users.noneFound')) : undefined }
}

/** Selects users by name, or by number if the caller lacks `user:read`. */
export const Recipients = ({ chosen, onChange, ...input }: RecipientsProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [typed, setTyped] = useState('')
  const { found, nothing } = useFound(typed)
  const all = [...chosen, ...found.filter(({ id }) => chosen.every((one) => one.id !== id))]
  return (
    <ManyChoice
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
      nothingFoundMessage={nothing}
      // Keeps all options: the service's search also covers other fields than the names.
      filter={({ options }) => options}
      renderOption={({ option }) => <Option user={all.find(({ id }) => String(id) === option.value)} />}
      data-autofocus
      data-path="audience"
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
