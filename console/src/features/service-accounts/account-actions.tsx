import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ServiceAccount } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewAccounts } from './service-accounts.queries.ts'

const EditAccountDialog = lazyPart(async () => (await import('./edit-account-dialog.tsx')).EditAccountDialog)

interface AccountProps {
  account: ServiceAccount
}

export const AccountActions = ({ account }: AccountProps) => {
  const { can } = useMe()
  return (
    <>
      {can('service_account:update') && <Edit account={account} />}
      {can('service_account:update') && <SetStatus account={account} />}
      {can('service_account:delete') && <Delete account={account} />}
    </>
  )
}

const Edit = ({ account }: AccountProps) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('serviceAccounts.edit')}
      </Button>
      {isOpen && <EditAccountDialog account={account} onClose={() => setOpen(false)} />}
    </>
  )
}

const useSetStatus = ({ id }: ServiceAccount, status: 0 | 1, onDone: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewAccounts()
  return useMutation({
    mutationFn: () => api.serviceAccounts.update(id, { status }),
    onSuccess: async () => {
      onDone()
      notify(t(status === 1 ? 'serviceAccounts.enabled' : 'serviceAccounts.disabled'))
      await renew()
    },
  })
}

/** Asks before enabling as well, because the keys would work again. */
const SetStatus = ({ account }: AccountProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const isEnabled = account.status === 1
  const changing = useSetStatus(account, isEnabled ? 0 : 1, () => setAsked(false))
  const verb = t(isEnabled ? 'serviceAccounts.disable' : 'serviceAccounts.enable')
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {verb}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t(isEnabled ? 'serviceAccounts.disableOne' : 'serviceAccounts.enableOne', {
          name: account.name,
        })}
        confirm={verb}
        {...mutationProps(changing)}
      >
        {t(isEnabled ? 'serviceAccounts.disableText' : 'serviceAccounts.enableText')}
      </ConfirmModal>
    </>
  )
}

const useDelete = ({ id, name }: ServiceAccount) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const navigate = useNavigate()
  const { api } = useScope()
  const renew = useRenewAccounts()
  return useMutation({
    mutationFn: () => api.serviceAccounts.delete(id),
    onSuccess: async () => {
      notify(t('serviceAccounts.deleted', { name }))
      // Navigates first, or this page would request the deleted account.
      await navigate({ to: '/service-accounts' })
      await renew()
    },
  })
}

const Delete = ({ account }: AccountProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const deleting = useDelete(account)
  return (
    <>
      <Button color="red" variant="light" onClick={() => setAsked(true)}>
        {t('serviceAccounts.delete')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('serviceAccounts.deleteOne', { name: account.name })}
        confirm={t('serviceAccounts.delete')}
        {...mutationProps(deleting)}
        word={account.name}
      >
        {t('serviceAccounts.deleteText')}
      </ConfirmModal>
    </>
  )
}
