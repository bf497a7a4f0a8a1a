import { NumberInput, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { SupportSession, User } from '@tenantry/client'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRenew } from '../../components/use-renew.ts'

interface AskProps {
  user: User
  onClose: () => void
}

const kinds = ['view', 'act'] as const

interface Values extends Record<string, unknown> {
  kind: SupportSession['kind']
  minutes: number | string
  reason: string
}

const areMinutes = (value: number | string): boolean => {
  const minutes = Number(value)
  return Number.isInteger(minutes) && minutes >= 5 && minutes <= 60
}

const useAsking = ({ user, onClose }: AskProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { api } = useScope()
  const notify = useNotify()
  const navigate = useNavigate()
  const renew = useRenew()
  const form = useForm<Values>({
    initialValues: { kind: can('support:view') ? 'view' : 'act', minutes: 30, reason: '' },
    validate: {
      minutes: (minutes) => (areMinutes(minutes) ? null : t('support.minutesWrong')),
      reason: (reason) => (reason.trim() === '' ? t('fieldFaults.missing') : null),
    },
  })
  const sending = useSubmit(form, async ({ kind, minutes, reason }) => {
    const asked = { user_id: user.id, kind, minutes: Number(minutes), reason }
    const { status } = await api.support.request(asked)
    await renew()
    onClose()
    notify(t(status === 'ready' ? 'support.isReady' : 'support.isAsked', { name: nameOf(user) }))
    await navigate({ to: '/support', ignoreBlocker: true })
  })
  return { form, sending }
}

/** Asks to work as the user, and leads to the page with the answer. */
export const AskSupportDialog = (props: AskProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { form, sending } = useAsking(props)
  return (
    <FieldsDialog
      title={t('support.askTitle', { name: nameOf(props.user) })}
      submit={t('support.ask')}
      isReady
      refusal={useFactorRefusal()}
      onClose={props.onClose}
      {...{ form, sending }}
    >
      <Text size="sm">{t('support.askText')}</Text>
      <Radio.Group label={t('support.kind')} {...form.getInputProps('kind')}>
        <Stack gap="xs" mt="xs">
          {kinds.map((kind) => (
            <Radio
              key={kind}
              value={kind}
              label={t(`supportKinds.${kind}`)}
              description={t(`supportKindTexts.${kind}`)}
              disabled={!can(`support:${kind}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <NumberInput
        label={t('support.minutes')}
        description={t('support.minutesHint')}
        min={5}
        max={60}
        required
        {...form.getInputProps('minutes')}
      />
      <Textarea
        label={t('support.reason')}
        description={t('support.reasonHint')}
        autosize
        minRows={2}
        maxLength={500}
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FieldsDialog>
  )
}
