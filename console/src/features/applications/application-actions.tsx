import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Application } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewApplications } from './applications.queries.ts'

const EditDialog = lazyPart(async () => (await import('./edit-application.tsx')).EditApplicationDialog)

interface OfApplication {
  application: Application
}

export const ApplicationActions = ({ application }: OfApplication) => {
  const { t } = useTranslation()
  const [isEdited, setEdited] = useState(false)
  return (
    <>
      {!application.is_registered && (
        <Button variant="default" onClick={() => setEdited(true)}>
          {t('applications.edit')}
        </Button>
      )}
      {isEdited && <EditDialog application={application} onClose={() => setEdited(false)} />}
      <SetStatus application={application} />
      <Delete application={application} />
    </>
  )
}

const SetStatus = ({ application: { id, name, status } }: OfApplication) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewApplications()
  const [isAsked, setAsked] = useState(false)
  const isEnabled = status === 1
  const changing = useMutation({
    mutationFn: () => client.applications.update(id, { status: isEnabled ? 0 : 1 }),
    onSuccess: async () => {
      setAsked(false)
      notify(t(isEnabled ? 'applications.disabled' : 'applications.enabled'))
      await renew()
    },
  })
  const verb = t(isEnabled ? 'applications.disable' : 'applications.enable')
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {verb}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t(isEnabled ? 'applications.disableOne' : 'applications.enableOne', { name })}
        confirm={verb}
        {...mutationProps(changing)}
      >
        {t(isEnabled ? 'applications.disableText' : 'applications.enableText')}
      </ConfirmModal>
    </>
  )
}

const useDelete = ({ id, name }: Application) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const navigate = useNavigate()
  const renew = useRenewApplications()
  return useMutation({
    mutationFn: () => client.applications.delete(id),
    onSuccess: async () => {
      notify(t('applications.deleted', { name }))
      // Navigates first, or this page would request the deleted application.
      await navigate({ to: '/applications' })
      await renew()
    },
  })
}

const Delete = ({ application }: OfApplication) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const deleting = useDelete(application)
  return (
    <>
      <Button color="red" variant="light" onClick={() => setAsked(true)}>
        {t('applications.delete')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('applications.deleteOne', { name: application.name })}
        confirm={t('applications.delete')}
        {...mutationProps(deleting)}
        word={application.name}
      >
        {t('applications.deleteText')}
      </ConfirmModal>
    </>
  )
}
