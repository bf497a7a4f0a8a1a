import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CreatedKey } from '@tenantry/client'
import { useState } from 'react'
import { EndFields, endOf, useDayCheck, type EndValues } from '../../components/end-fields.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { DialogForm } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTimeZone } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { isNetwork, networksMax, networksOf } from './networks.ts'
import { NameInput } from '../../components/named-form.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface CreateKeyProps {
  accountId: number
  onClose: () => void
}

/** Asks for a new key, then shows its secret once. */
export const CreateKeyDialog = ({ accountId, onClose }: CreateKeyProps) => {
  const { t, textsOf } = useTranslation()
  const creating = useCreateKey(accountId)
  const { form, created, isSending } = creating
  return (
    <SecretDialog
      title={t('serviceAccounts.createKey')}
      secret={created?.secret}
      texts={textsOf('keySecrets')}
      created={t('serviceAccounts.keyCreated', { name: created?.name ?? '' })}
      isDirty={form.isDirty()}
      isPending={isSending}
      onClose={onClose}
    >
      <CreateKeyForm creating={creating} onClose={onClose} />
    </SecretDialog>
  )
}

const lifetimes = ['30', '90', '365', 'date', 'never'] as const

/** The message about the first invalid network. */
const useNetworksCheck = () => {
  const { t } = useTranslation()
  return (text: string): string | null => {
    const networks = networksOf(text)
    const wrong = networks.find((network) => !isNetwork(network))
    if (wrong !== undefined) return t('serviceAccounts.networkWrong', { network: wrong })
    return networks.length > networksMax ? t('serviceAccounts.networksMany', { count: networksMax }) : null
  }
}

/** The fields have the names of the API, so that its refusals appear beside them. */
const useKeyForm = () => {
  const check = useFieldChecks()
  return useForm<EndValues & { name: string; allowed_cidrs: string }>({
    initialValues: { name: '', expires_at: '90', day: '', allowed_cidrs: '' },
    validate: {
      name: check('roleName'),
      day: useDayCheck(),
      allowed_cidrs: useNetworksCheck(),
    },
  })
}

/** Does not use the query client, because its cache would keep the secret. */
const useCreateKey = (accountId: number) => {
  const { api } = useScope()
  const renew = useRenew()
  const form = useKeyForm()
  const zone = useTimeZone()
  const [created, setCreated] = useState<CreatedKey>()
  const sending = useSubmit(form, async ({ name, allowed_cidrs, ...ending }) => {
    const end = endOf(ending, zone)
    const key = await api.serviceAccounts.keys.create(accountId, {
      name,
      allowed_cidrs: networksOf(allowed_cidrs),
      ...(end === undefined ? {} : { expires_at: end }),
    })
    setCreated(key)
    await renew()
  })
  return { form, created, ...sending }
}

interface CreateKeyFormProps {
  creating: ReturnType<typeof useCreateKey>
  onClose: () => void
}

const CreateKeyForm = ({ creating, onClose }: CreateKeyFormProps) => {
  const { t } = useTranslation()
  const { form } = creating
  return (
    <DialogForm sending={creating} submit={t('serviceAccounts.createKey')} onCancel={onClose}>
      <NameInput description={t('serviceAccounts.keyNameHint')} {...form.getInputProps('name')} />
      <EndFields
        form={form}
        label={t('serviceAccounts.expires')}
        lifetimes={lifetimes}
        never={t('serviceAccounts.expiresNever')}
        neverHint={t('serviceAccounts.neverHint')}
      />
      <Textarea
        label={t('serviceAccounts.networks')}
        description={t('serviceAccounts.networksHint', { count: networksMax })}
        placeholder="10.1.0.0/16"
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('allowed_cidrs')}
      />
    </DialogForm>
  )
}
