import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CreatedKey } from '@tenantry/client'
import { useState } from 'react'
import { useFieldChecks } from '../../components/field-checks.ts'
import { DialogForm } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { fromZoned } from '../../components/zoned-time.ts'
import { useScope } from '../../session/scope.ts'
import { useTimeZone } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { isNetwork, networksMax, networksOf } from './networks.ts'
import { useRenewAccounts } from './service-accounts.queries.ts'
import { NameInput } from '../../components/named-form.tsx'

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

const dayMs = 86_400_000

const lifetimes = ['30', '90', '365', 'date', 'never'] as const
type Lifetime = (typeof lifetimes)[number]

const lastMoment = (day: string, zone: string | undefined) => fromZoned(`${day} 23:59:59`, zone)

/**
 * The expiry of a new key: after some days, or at the end of a day in the zone (`2026-01-31`). Undefined if it never
 * expires.
 */
const endOf = (lifetime: Lifetime, day: string, zone: string | undefined): string | undefined => {
  if (lifetime === 'never') return undefined
  if (lifetime === 'date') return lastMoment(day, zone).toISOString()
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
}

/** True if the day ends in the future. False for an unfinished date. */
const isFutureDay = (day: string, zone: string | undefined): boolean =>
  day !== '' && lastMoment(day, zone).valueOf() > Date.now()

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
  const { t } = useTranslation()
  const check = useFieldChecks()
  const zone = useTimeZone()
  return useForm<{ name: string; expires_at: Lifetime; day: string; allowed_cidrs: string }>({
    initialValues: { name: '', expires_at: '90', day: '', allowed_cidrs: '' },
    validate: {
      name: check('roleName'),
      day: (day, { expires_at }) =>
        expires_at === 'date' && !isFutureDay(day, zone) ? t('serviceAccounts.dayWrong') : null,
      allowed_cidrs: useNetworksCheck(),
    },
  })
}

/** Does not use the query client, because its cache would keep the secret. */
const useCreateKey = (accountId: number) => {
  const { api } = useScope()
  const renew = useRenewAccounts()
  const form = useKeyForm()
  const zone = useTimeZone()
  const [created, setCreated] = useState<CreatedKey>()
  const sending = useSubmit(form, async ({ name, expires_at, day, allowed_cidrs }) => {
    const end = endOf(expires_at, day, zone)
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
      <ExpiryFields form={form} />
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

const ExpiryFields = ({ form }: { form: ReturnType<typeof useKeyForm> }) => {
  const { t } = useTranslation()
  const { expires_at: lifetime } = form.values
  const textOf = (one: Lifetime): string => {
    if (one === 'never') return t('common.never')
    return one === 'date' ? t('serviceAccounts.onDay') : t('serviceAccounts.days', { count: Number(one) })
  }
  return (
    <>
      <Select
        label={t('serviceAccounts.expires')}
        allowDeselect={false}
        data={lifetimes.map((one) => ({ value: one, label: textOf(one) }))}
        description={lifetime === 'never' ? t('serviceAccounts.neverHint') : undefined}
        {...form.getInputProps('expires_at')}
      />
      {lifetime === 'date' && (
        <TextInput type="date" label={t('serviceAccounts.lastDay')} required {...form.getInputProps('day')} />
      )}
    </>
  )
}
