import { Checkbox, MultiSelect, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { Connection, CreateSetupLink } from '@tenantry/client'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useAuthOptions } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { canAccountHold } from '../service-accounts/service-accounts.queries.ts'
import { useRenew } from '../../components/use-renew.ts'

const parts = ['domains', 'connection', 'directory'] as const
const days = [1, 3, 7, 14] as const
/** docs/contract.md: the service's limit. */
const rolesMax = 20

type Values = {
  email: string
  parts: string[]
  /** "" lets the guest create one. */
  connection_id: string
  days: string
  role_ids: string[]
  may_activate: boolean
}

const linkOf = ({ email, ...values }: Values): CreateSetupLink => ({
  email: email.trim(),
  parts: parts.filter((part) => values.parts.includes(part)),
  connection_id: values.connection_id === '' ? null : values.connection_id,
  expires_in_hours: Number(values.days) * 24,
  role_ids: values.role_ids.map(Number),
  may_activate: values.may_activate,
})

interface SendLinkDialogProps {
  connections: Connection[]
  onClose: () => void
}

const useSendForm = (onClose: () => void) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const check = useFieldChecks()
  const renew = useRenew()
  const form = useForm<Values>({
    initialValues: {
      email: '',
      parts: ['domains', 'connection'],
      connection_id: '',
      days: '3',
      role_ids: [],
      may_activate: false,
    },
    validate: {
      email: check('email'),
      parts: (chosen) => (chosen.length === 0 ? t('fieldFaults.missing') : null),
    },
  })
  const sending = useSubmit(form, async (values) => {
    const { email } = await api.sso.createSetupLink(linkOf(values))
    onClose()
    notify(t('setup.sent', { email }))
    await renew()
  })
  return { form, sending }
}

/** Sends a setup link by mail. Nobody else sees it. */
export const SendLinkDialog = ({ connections, onClose }: SendLinkDialogProps) => {
  const { t, gap } = useTranslation()
  const { form, sending } = useSendForm(onClose)
  const isInFile = useAuthOptions().data?.mail_in_files === true
  return (
    <FieldsDialog isReady {...{ form, sending, onClose }} title={t('setup.send')} submit={t('setup.send')}>
      <Text size="sm">
        {t('setup.sendText')}
        {isInFile && gap + t('setup.inFile')}
      </Text>
      <TextInput
        label={t('fields.email')}
        type="email"
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <Parts form={form} connections={connections} />
      <NativeSelect
        label={t('setup.days')}
        data={days.map((count) => ({ value: String(count), label: t('setup.dayCount', { count }) }))}
        {...form.getInputProps('days')}
      />
      <Rights form={form} />
    </FieldsDialog>
  )
}

type Form = UseFormReturnType<Values>

const Parts = ({ form, connections }: { form: Form; connections: Connection[] }) => {
  const { t } = useTranslation()
  const drafts = connections.filter(({ status }) => status === 'draft')
  return (
    <>
      <Checkbox.Group label={t('setup.parts')} {...form.getInputProps('parts')}>
        <Stack gap="xs" mt="xs">
          {parts.map((part) => (
            <Checkbox key={part} value={part} label={t(`setupParts.${part}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      {drafts.length > 0 && (
        <NativeSelect
          label={t('setup.draft')}
          data={[
            { value: '', label: t('setup.newDraft') },
            ...drafts.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.getInputProps('connection_id')}
        />
      )}
    </>
  )
}

const Rights = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  return (
    <>
      <MultiSelect
        label={t('setup.roles')}
        description={t('setup.rolesHint')}
        data={roles.filter(canAccountHold).map(({ id, name }) => ({ value: String(id), label: name }))}
        searchable
        maxValues={rolesMax}
        {...form.getInputProps('role_ids')}
      />
      <Switch
        label={t('setup.mayActivate')}
        description={t('setup.mayActivateHint')}
        {...form.getInputProps('may_activate', { type: 'checkbox' })}
      />
    </>
  )
}
