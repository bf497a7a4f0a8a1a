import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewSso } from './sso.queries.ts'

/** Unlinks a user from the provider. The next sign-in links anew, by the same rules. */
export const Unlink = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewSso()
  const [isAsked, setAsked] = useState(false)
  const unlinking = useMutation({
    mutationFn: () => api.sso.unlinkUser(user.id),
    onSuccess: async () => {
      setAsked(false)
      notify(t('onlyConnection.unlinked'))
      await renew()
    },
  })
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" flex={1} miw={200}>
        {t('onlyConnection.unlinkHint')}
      </Text>
      <Button size="xs" variant="default" onClick={() => setAsked(true)}>
        {t('onlyConnection.unlink')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('onlyConnection.unlinkTitle', { name: nameOf(user) })}
        confirm={t('onlyConnection.unlink')}
        onConfirm={() => unlinking.mutate()}
        isPending={unlinking.isPending}
        error={unlinking.error}
      >
        {t('onlyConnection.unlinkText')}
      </ConfirmModal>
    </Group>
  )
}
