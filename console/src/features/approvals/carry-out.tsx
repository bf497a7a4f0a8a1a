import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { Approval, Client } from '@tenantry/client'
import { useState } from 'react'
import { DialogForm } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useTranslation } from '../../translation.ts'
import { useOperationNames } from './approval-parts.tsx'

const secretNames = new Set(['key', 'secret', 'client_secret', 'token'])

/** A new key or secret in an answer, which the service gives only this once. A setting or flag also has a `key`. */
const secretIn = (answer: unknown): string | undefined => {
  if (typeof answer !== 'object' || answer === null) return undefined
  const found = Object.entries(answer).find(
    ([name, value]: [string, unknown]) =>
      secretNames.has(name) && typeof value === 'string' && (name !== 'key' || value.startsWith('tnt_')),
  )
  return found?.[1] as string | undefined
}

interface CarryOutProps {
  api: Client
  /** With the body that is sent, and not the kept one, if that has secrets. */
  approval: Approval
  onClose: () => void
}

/** Sends an approved change again, and shows a secret of its answer once. */
export const CarryOutDialog = ({ api, approval, onClose }: CarryOutProps) => {
  const { t, textsOf } = useTranslation()
  const namesOf = useOperationNames()
  const notify = useNotify()
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string>()
  const form = useForm({ initialValues: {} })
  const sending = useSubmit(form, async () => {
    const made = secretIn(await api.approvals.carryOut(approval))
    setSecret(made)
    // The change can show on any page.
    await queries.invalidateQueries()
    notify(t('approvals.carriedOut'))
    if (made === undefined) onClose()
  })
  return (
    <SecretDialog
      title={t('approvals.carryOutTitle')}
      created={t('approvals.carriedOut')}
      secret={secret}
      texts={textsOf('approvalSecrets')}
      isDirty={false}
      isPending={sending.isSending}
      onClose={onClose}
    >
      <DialogForm sending={sending} submit={t('approvals.carryOut')} onCancel={onClose}>
        <Text size="sm" fw={500}>
          {namesOf(approval.operations)}
        </Text>
        <Text size="sm">{t('approvals.carryOutText')}</Text>
      </DialogForm>
    </SecretDialog>
  )
}
