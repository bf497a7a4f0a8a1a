import { Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { useState, type ClipboardEvent, type ReactNode } from 'react'
import { addressesIn } from '../../components/addresses-in-text.ts'
import { useErrorText } from '../../components/error-text.ts'
import { useTranslation } from '../../translation.ts'
import { ManyChoice } from '../../components/many-choice.tsx'
import { useFirstUsers, useSearchState, useUserSearch } from '../../components/use-user-search.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'

export interface Recipient {
  id: number
  name: string
  email: string
  /** Unknown without `user:read`. */
  status?: User['status']
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

/** The most pasted addresses. Each is one search. */
const pastedMax = 200

/** The searches that run at once. */
const searchesMax = 10

/** Finds the users of pasted addresses. `fault` names the addresses of nobody. */
const usePasted = (onFound: (users: Recipient[]) => void) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { api } = useScope()
  const find = async (email: string) => {
    const { items } = await api.users.list({ search: email, page_size: foundMax })
    return items.find((user) => user.email.toLowerCase() === email.toLowerCase())
  }
  const finding = useMutation({
    mutationFn: async (emails: string[]) => {
      const users: Recipient[] = []
      const missing = emails.slice(pastedMax)
      for (let at = 0; at < Math.min(emails.length, pastedMax); at += searchesMax) {
        const part = emails.slice(at, Math.min(at + searchesMax, pastedMax))
        const found = await Promise.all(part.map(find))
        users.push(...found.flatMap((user) => (user ? [{ ...user, name: nameOf(user) }] : [])))
        missing.push(...part.filter((_, index) => found[index] === undefined))
      }
      return { users, missing }
    },
    onSuccess: ({ users }) => onFound(users),
  })
  const onPaste = (event: ClipboardEvent): void => {
    const emails = addressesIn(event.clipboardData.getData('text')).map(({ email }) => email)
    // One address is searched as typed text is.
    if (emails.length < 2 || !emails.every((email) => email.includes('@'))) return
    event.preventDefault()
    finding.mutate(emails)
  }
  const { missing = [] } = finding.data ?? {}
  const notFound = missing.length > 0 && t('notifications.noUserOf', { emails: missing.join(', ') })
  return {
    onPaste,
    isFinding: finding.isPending,
    fault: finding.error ? textOf(finding.error) : notFound,
  }
}

/** Selects users by name or pasted addresses, or by number if the caller lacks `user:read`. */
export const Recipients = ({ chosen, onChange, ...input }: RecipientsProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [typed, setTyped] = useState('')
  const { found, nothing } = useFound(typed)
  const { onPaste, isFinding, fault } = usePasted((users) =>
    onChange([...chosen, ...users.filter(({ id }) => chosen.every((one) => one.id !== id))]),
  )
  const all = [...chosen, ...found.filter(({ id }) => chosen.every((one) => one.id !== id))]
  return (
    <ManyChoice
      {...input}
      error={input.error || fault}
      loading={isFinding}
      onPaste={can('user:read') ? onPaste : undefined}
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
