import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Connection, UpdateConnection } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewSso } from './sso.queries.ts'

interface ActionProps {
  connection: Connection
}

/** Disables and deletes a connection. The card of its test activates it. */
export const ConnectionActions = ({ connection }: ActionProps) => (
  <>
    {connection.status === 'active' && <Disable connection={connection} />}
    <Delete connection={connection} />
  </>
)

/** Changes a connection, and refreshes its queries. */
export const useUpdateConnection = ({ id }: Connection, onDone: () => void) => {
  const { api } = useScope()
  const renew = useRenewSso()
  return useMutation({
    mutationFn: (changes: UpdateConnection) => api.sso.updateConnection(id, changes),
    onSuccess: async () => {
      onDone()
      await renew()
    },
  })
}

const Disable = ({ connection }: ActionProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const [isAsked, setAsked] = useState(false)
  const disabling = useUpdateConnection(connection, () => {
    setAsked(false)
    notify(t('connections.isDisabled'))
  })
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t('connections.disable')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('connections.disableOne', { name: connection.name })}
        confirm={t('connections.disable')}
        {...mutationProps(disabling, { status: 'disabled' })}
      >
        {t('connections.disableText')}
      </ConfirmModal>
    </>
  )
}

const useDelete = ({ id, name }: Connection) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const navigate = useNavigate()
  const { api } = useScope()
  const renew = useRenewSso()
  return useMutation({
    mutationFn: () => api.sso.deleteConnection(id),
    onSuccess: async () => {
      notify(t('connections.deleted', { name }))
      // Navigates first, or this page would request the deleted connection.
      await navigate({ to: '/connections' })
      await renew()
    },
  })
}

const Delete = ({ connection }: ActionProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const deleting = useDelete(connection)
  return (
    <>
      <Button color="red" variant="light" onClick={() => setAsked(true)}>
        {t('connections.delete')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('connections.deleteOne', { name: connection.name })}
        confirm={t('connections.delete')}
        {...mutationProps(deleting)}
        word={connection.name}
      >
        {t(
          connection.scim_account_id === null ? 'connections.deleteText' : 'connections.deleteDirectoryText',
        )}
      </ConfirmModal>
    </>
  )
}
