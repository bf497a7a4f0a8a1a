import { List, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useErrorText } from '../../components/error-text.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { client, signOut } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { membershipsQuery } from '../../session/memberships.ts'

const useDeletion = () =>
  useMutation({
    mutationFn: async (password: string) => {
      await client.auth.deleteAccount({ password })
      // The service has ended all sessions of the account. This browser forgets its own.
      await signOut('deleted')
    },
  })

export const DeleteAccount = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { email } = useMe().user
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useDeletion()
  const isWrong = error instanceof ApiError && error.reason === 'oldPasswordWrong'
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('memberships.deleteTitle')}
      confirm={t('memberships.deleteAccount')}
      onConfirm={() => mutate(password)}
      word={email}
      isBlocked={password === ''}
      isPending={isPending}
      error={isWrong ? undefined : error}
      effect={
        <PasswordField
          label={t('profile.oldPassword')}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isWrong && textOf(error)}
        />
      }
    >
      <Erased />
    </ConfirmModal>
  )
}

const Erased = () => {
  const { t } = useTranslation()
  const { data = [] } = useQuery(membershipsQuery)
  return (
    <Stack gap="xs">
      <Text size="sm">{t('memberships.erased')}</Text>
      <List size="sm" className="breakable">
        <List.Item>{t('memberships.erasedAccount')}</List.Item>
        {data.map(({ tenant, username }) => (
          <List.Item key={tenant.id}>
            {t('memberships.erasedUser', { username, name: tenant.name })}
          </List.Item>
        ))}
      </List>
      <Text size="sm">{t('memberships.erasedForGood')}</Text>
    </Stack>
  )
}
