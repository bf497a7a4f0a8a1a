import {
  Button,
  Card,
  DataList,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
  type TextInputProps,
} from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { History } from '../audit/history.views.tsx'
import { ResetFactors } from '../factors/factors.views.tsx'
import { UserSessions } from '../sessions/sessions.views.tsx'
import { useRenewUsers } from './users.queries.ts'

export const UserOverview = ({ user, canChange }: { user: User; canChange: boolean }) => {
  const { t } = useTranslation()
  const me = useMe()
  const canUpdate = canChange && me.can('user:update')
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} maw={1000} style={{ alignItems: 'start' }}>
      <Facts user={user} />
      {canUpdate && <EditForm user={user} />}
      <UserSessions user={user} canChange={canChange} />
      {canUpdate && user.id !== me.user.id && <ResetFactors user={user} />}
      <History resource="user" id={user.id} hint={t('users.history')} />
    </SimpleGrid>
  )
}

const Facts = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const { last_login: at } = user
  const facts = [
    [t('fields.username'), user.username],
    [t('fields.email'), user.email],
    [t('fields.nickname'), user.nickname || '–'],
    [t('fields.status'), <StatusBadge key="status" status={user.status} />],
    [t('fields.lastLogin'), <MomentAndAgo key="login" at={at} />],
    [t('fields.id'), user.id],
  ] as const
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('users.facts')}
      </Title>
      <DataList>
        {facts.map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </Card>
  )
}

type EditValues = Pick<User, 'email' | 'nickname'>

/** Takes over new values from the service, except for fields with typed text. */
const useFresh = (form: UseFormReturnType<EditValues>, { email, nickname }: EditValues): void => {
  const [seen, setSeen] = useState({ email, nickname })
  if (seen.email === email && seen.nickname === nickname) return
  setSeen({ email, nickname })
  const typed = Object.entries(form.values).filter(([field]) => form.isDirty(field))
  form.resetDirty({ email, nickname })
  form.setValues({ email, nickname, ...Object.fromEntries(typed) })
}

const useEditForm = ({ id, email, nickname }: User) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { email, nickname },
    validate: { email: check('email'), nickname: check('nickname') },
  })
  useFresh(form, { email, nickname })
  const sending = useSubmit(form, async (values) => {
    // Sends changed fields only, so that other changes made meanwhile stay.
    await api.users.update(id, {
      ...(form.isDirty('email') ? { email: values.email } : {}),
      ...(form.isDirty('nickname') ? { nickname: values.nickname } : {}),
    })
    form.resetDirty(values)
    notify(t('users.saved'))
    await renew(id)
  })
  return { form, ...sending }
}

const EditForm = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useEditForm(user)
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('users.edit')}
      </Title>
      <LeaveQuestion isHeld={form.isDirty()} title={t('common.leaveTitle')} confirm={t('common.leave')}>
        {t('common.leaveText')}
      </LeaveQuestion>
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          <EmailField user={user} {...form.getInputProps('email')} />
          <TextInput label={t('fields.nickname')} {...form.getInputProps('nickname')} />
          <Button
            type="submit"
            loading={isSending}
            disabled={!form.isDirty()}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('common.save')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}

/** The own e-mail changes by a link to the new one only. */
const EmailField = ({ user, ...input }: { user: User } & TextInputProps) => {
  const { t } = useTranslation()
  const isOwn = useMe().user.id === user.id
  const hint = (
    <>
      {t('users.ownEmail')}{' '}
      <TextLink to="/profile" inherit underline="always">
        {t('recovery.toProfile')}
      </TextLink>
    </>
  )
  return (
    <TextInput
      label={t('fields.email')}
      type="email"
      {...(isOwn ? { readOnly: true, description: hint } : { required: true })}
      {...input}
    />
  )
}
