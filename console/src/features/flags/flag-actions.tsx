import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Flag } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewFlags, useUpdateFlag } from './flags.queries.ts'

const EditDialog = lazyPart(async () => (await import('./edit-flag.tsx')).EditFlagDialog)

interface OfFlag {
  flag: Flag
}

export const FlagActions = ({ flag }: OfFlag) => {
  const { t } = useTranslation()
  const [isEdited, setEdited] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setEdited(true)}>
        {t('flags.edit')}
      </Button>
      {isEdited && <EditDialog flag={flag} onClose={() => setEdited(false)} />}
      <SetEnabled flag={flag} />
      <Delete flag={flag} />
    </>
  )
}

const SetEnabled = ({ flag }: OfFlag) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const [isAsked, setAsked] = useState(false)
  const { key, enabled, off_variant: variant } = flag
  const changing = useUpdateFlag(flag, () => {
    setAsked(false)
    notify(t(enabled ? 'flags.disabled' : 'flags.enabled'))
  })
  const verb = t(enabled ? 'flags.disable' : 'flags.enable')
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {verb}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t(enabled ? 'flags.disableOne' : 'flags.enableOne', { key })}
        confirm={verb}
        {...(enabled ? {} : { color: 'blue' })}
        {...mutationProps(changing, { enabled: !enabled })}
      >
        {t(enabled ? 'flags.disableText' : 'flags.enableText', { variant })}
      </ConfirmModal>
    </>
  )
}

const Delete = ({ flag: { key } }: OfFlag) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewFlags()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const deleting = useMutation({
    mutationFn: () => client.flags.delete(key),
    onSuccess: async () => {
      notify(t('flags.deleted', { key }))
      await navigate({ to: '/flags' })
      await renew()
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t('flags.delete')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('flags.deleteOne', { key })}
        confirm={t('flags.delete')}
        {...mutationProps(deleting)}
        word={key}
      >
        {t('flags.deleteText')}
      </ConfirmModal>
    </>
  )
}
