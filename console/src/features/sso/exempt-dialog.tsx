import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { ApiError } from '@tenantry/client'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useFirstUsers, useSearchState, useUserSearch } from '../../components/use-user-search.ts'
import { useTranslation } from '../../translation.ts'
import { useMutation } from '@tanstack/react-query'
import { useScope } from '../../session/scope.ts'
import { useRenew } from '../../components/use-renew.ts'

const usersMax = 10

/** Adds a break-glass user. The service refuses users without a second factor, and users of a directory. */
export const ExemptDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const [id, setId] = useState<string | null>(null)
  const { api } = useScope()
  const renew = useRenew()
  const putting = useMutation({
    mutationFn: () => api.sso.putExemption(Number(id), { exempt: true }),
    onSuccess: async () => {
      onClose()
      notify(t('onlyConnection.breakGlassAdded'))
      await renew()
    },
  })
  const isRefused = putting.error instanceof ApiError && putting.error.reason === 'invalidInput'
  return (
    <Dialog opened onClose={onClose} title={t('onlyConnection.addBreakGlass')} isPending={putting.isPending}>
      <Stack>
        {putting.error && !isRefused && <ErrorPanel error={putting.error} />}
        <Text size="sm">{t('onlyConnection.breakGlassText')}</Text>
        <UserChoice
          value={id}
          onChange={setId}
          {...(isRefused && { error: t('onlyConnection.exemptRefused') })}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={putting.isPending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button disabled={id === null} loading={putting.isPending} onClick={() => putting.mutate()}>
            {t('onlyConnection.addBreakGlass')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface UserChoiceProps {
  value: string | null
  onChange: (id: string | null) => void
  error?: string
}

const UserChoice = (props: UserChoiceProps) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const first = useFirstUsers(usersMax)
  const search = useUserSearch(typed, usersMax)
  const stateOf = useSearchState()
  const users = typed.trim() === '' || props.value !== null ? [...first, ...search.items] : search.items
  const options = new Map(users.map(({ id, username, email }) => [String(id), `${username} (${email})`]))
  return (
    <Select
      label={t('places.user')}
      data={[...options].map(([value, label]) => ({ value, label }))}
      searchable
      data-autofocus
      searchValue={typed}
      onSearchChange={setTyped}
      // Keeps all options, because the service has already searched.
      filter={({ options: all }) => all}
      nothingFoundMessage={stateOf(search, t('onlyConnection.noUsersFound'))}
      {...props}
    />
  )
}
