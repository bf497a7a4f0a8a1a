import { SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { Notification } from '@tenantry/client'
import type { ReactNode } from 'react'
import { lengthOf, useFieldChecks } from '../../components/field-checks.ts'
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { BroadcastProgress, useBroadcast } from './broadcast-progress.tsx'
import { Recipients, type Recipient } from './recipients.views.tsx'
import { SendResults, useSending } from './send-results.tsx'

/** In Unicode code points. `field-checks.ts` refuses more. */
const titleMax = 200
const contentMax = 10_000

interface Values extends Record<string, unknown> {
  audience: Audience
  title: string
  content: string
  type: Notification['type']
}

/** Sends to selected users one by one. For a role or everyone, the service sends in batches. */
const useSend = ({ title, content, type }: Values) => {
  const message = { title, content, type }
  const sending = useSending(message)
  const broadcast = useBroadcast()
  const send = ({ kind, users, roleId }: Audience): void => {
    if (kind === 'one') sending.send(users)
    else broadcast.begin({ ...message, ...(kind === 'role' && roleId !== undefined && { role_id: roleId }) })
  }
  const isRunning = sending.isRunning || broadcast.isRunning
  return { sending, broadcast, send, isRunning, hasBegun: sending.outcomes.length > 0 || isRunning }
}

const useMessageForm = () => {
  const { t } = useTranslation()
  const check = useFieldChecks()
  return useForm<Values>({
    initialValues: { audience: nobodyYet, title: '', content: '', type: 'info' },
    validate: {
      audience: (audience) => (isAddressed(audience) ? null : t('fieldFaults.missing')),
      title: check('title'),
      content: check('content'),
    },
  })
}

const isTyped = ({ audience, title, content }: Values): boolean =>
  audience.users.length > 0 || `${title}${content}` !== ''

export const SendDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const form = useMessageForm()
  useDraft('notification', form)
  const { sending, broadcast, send, isRunning, hasBegun } = useSend(form.values)
  const { onSubmit } = useSubmit(form, async ({ audience }) => send(audience))
  return (
    <FormDialog
      isDirty={!hasBegun && !broadcast.sending && isTyped(form.values)}
      onClose={onClose}
      size="lg"
      title={t('notifications.sendTitle')}
      closeOnClickOutside={false}
      isPending={isRunning}
    >
      {sending.outcomes.length > 0 ? (
        <SendResults sending={sending} onClose={onClose} />
      ) : broadcast.sending ? (
        <BroadcastProgress broadcast={broadcast} sending={broadcast.sending} onClose={onClose} />
      ) : (
        <DialogForm
          sending={{ onSubmit, isSending: isRunning, error: broadcast.error ?? undefined }}
          submit={t(form.values.audience.kind === 'everyone' ? 'sendings.begin' : 'notifications.send')}
          onCancel={onClose}
        >
          <AudienceFields
            audience={form.values.audience}
            onChange={(audience) => form.setFieldValue('audience', audience)}
            error={form.errors['audience']}
          />
          <MessageFields form={form} />
        </DialogForm>
      )}
    </FormDialog>
  )
}

const types = ['info', 'success', 'warning', 'error'] as const

const MessageFields = ({ form }: { form: UseFormReturnType<Values> }) => {
  const { t } = useTranslation()
  const { title, content } = form.values
  return (
    <>
      <TextInput
        label={t('notifications.titleField')}
        required
        {...useCounter(lengthOf(title.trim()), titleMax)}
        {...form.getInputProps('title')}
      />
      <Textarea
        label={t('notifications.content')}
        autosize
        minRows={4}
        maxRows={12}
        {...useCounter(lengthOf(content), contentMax)}
        {...form.getInputProps('content')}
      />
      <Select
        label={t('notifications.type')}
        data={types.map((value) => ({ value, label: t(`notificationTypes.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('type')}
      />
    </>
  )
}

/** Shows the length of a text and its limit below the field. */
const useCounter = (length: number, max: number) => {
  const { t } = useTranslation()
  const format = useFormat()
  return {
    description: t('notifications.count', { count: length, max: format.count(max) }),
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as const satisfies string[],
  }
}

interface Audience {
  kind: 'one' | 'role' | 'everyone'
  users: Recipient[]
  roleId: number | undefined
}

const nobodyYet: Audience = { kind: 'one', users: [], roleId: undefined }

const isAddressed = ({ kind, users, roleId }: Audience): boolean =>
  kind === 'everyone' || (kind === 'role' ? roleId !== undefined : users.length > 0)

interface AudienceProps {
  audience: Audience
  onChange: (audience: Audience) => void
  error: ReactNode
}

const AudienceFields = ({ audience, onChange, error }: AudienceProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const kinds = can('role:read') ? (['one', 'role', 'everyone'] as const) : (['one', 'everyone'] as const)
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('sendings.to')}
        value={audience.kind}
        data={kinds.map((kind) => ({ value: kind, label: t(`sendings.${kind}`) }))}
        onChange={(kind) => onChange({ ...audience, kind })}
      />
      {audience.kind === 'one' && (
        <Recipients
          error={error}
          chosen={audience.users}
          onChange={(users) => onChange({ ...audience, users })}
          label={t('notifications.recipients')}
          openOnFocus={false}
        />
      )}
      {audience.kind === 'role' && (
        <RoleField
          error={error}
          roleId={audience.roleId}
          onChange={(roleId) => onChange({ ...audience, roleId })}
        />
      )}
      {audience.kind === 'everyone' && <Everyone />}
    </Stack>
  )
}

interface RoleFieldProps {
  roleId: number | undefined
  onChange: (roleId: number | undefined) => void
  error: ReactNode
}

const RoleField = ({ roleId, onChange, error }: RoleFieldProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  return (
    <Select
      label={t('places.role')}
      error={error}
      data-path="audience"
      description={t('sendings.roleHint')}
      searchable
      required
      data={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={roleId === undefined ? null : String(roleId)}
      onChange={(id) => onChange(Number(id) || undefined)}
    />
  )
}

const Everyone = () => {
  const { t } = useTranslation()
  const { name = '' } = useScopeTenant()
  return <Text size="sm">{t('sendings.everyoneHint', { tenant: name })}</Text>
}
