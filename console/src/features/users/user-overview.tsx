import {
  Anchor,
  Alert,
  Button,
  DataList,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { User, UserDetails } from '@tenantry/client'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { Ago, MomentAndAgo } from '../../components/ago.tsx'
import { EmailState } from '../../components/email-state.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { useNews } from '../../components/list-news.tsx'
import { PageForm } from '../../components/page-form.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useConflicts, type Conflicts } from '../../components/use-conflicts.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { accountPages } from '../../session/account-pages.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { History } from '../audit/history.views.tsx'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'
import { UserSessions } from '../sessions/sessions.views.tsx'
import { UserSecurity } from './user-security.tsx'
import { useRenew } from '../../components/use-renew.ts'

export const UserOverview = ({ user, canChange }: { user: UserDetails; canChange: boolean }) => {
  const { t } = useTranslation()
  const canUpdate = useMe().can('user:update') && canChange
  // The invitation is a row of its own, which would push what follows.
  if (useAcceptance(user.id).isLoading) return <Skeleton height={240} />
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
      <SectionCard title={t('users.facts')}>
        <Stack gap="lg">
          {canUpdate && <EditForm user={user} />}
          <UserFacts user={user} isEdited={canUpdate} />
        </Stack>
      </SectionCard>
      <Stack>
        {user.security && <UserSecurity user={user} security={user.security} canChange={canChange} />}
        <UserSessions user={user} canChange={canChange} />
        <History resource="user" id={user.id} hint={t('users.history')} />
      </Stack>
    </SimpleGrid>
  )
}

type EditValues = Pick<User, 'email' | 'nickname'>

/** Reads the user again after a change in the live stream, and before each save. */
const useFreshUser = (id: number) => {
  const queries = useQueryClient()
  const { tenantId } = useScope()
  const queryKey = ['users', tenantId, 'one', id]
  const { dataUpdatedAt = 0 } = queries.getQueryState(queryKey) ?? {}
  const read = async (): Promise<User | undefined> => {
    await queries.refetchQueries({ queryKey })
    return queries.getQueryData<User>(queryKey)
  }
  const { count } = useNews(['user'], { dataUpdatedAt, refetch: read })
  const hear = useEffectEvent(read)
  useEffect(() => {
    if (count > 0) void hear()
  }, [count])
  return read
}

const useEditForm = ({ id, email, nickname }: User) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { email, nickname },
    validate: { email: check('email'), nickname: check('nickname') },
  })
  const conflicts = useConflicts<EditValues>(form, { email, nickname })
  const readUser = useFreshUser(id)
  const sending = useSubmit(form, async (values) => {
    const present = await readUser()
    const isChanged = (field: keyof EditValues, seen: string): boolean =>
      form.isDirty(field) && present?.[field] !== seen && present?.[field] !== values[field]
    // The user must first see both values.
    if (present && (isChanged('email', email) || isChanged('nickname', nickname))) return
    // Sends only changed fields, so that concurrent changes of others stay.
    await api.users.update(id, {
      ...(form.isDirty('email') ? { email: values.email } : {}),
      ...(form.isDirty('nickname') ? { nickname: values.nickname } : {}),
    })
    form.resetDirty(values)
    notify(t('users.saved'))
    await renew()
  })
  return { form, conflicts, sending }
}

const EditForm = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const { form, conflicts, sending } = useEditForm(user)
  return (
    <PageForm isDirty={form.isDirty()} sending={sending}>
      <ConflictNote {...conflicts} labels={{ email: t('fields.email'), nickname: t('fields.nickname') }} />
      <EmailField user={user} {...form.getInputProps('email')} />
      <TextInput label={t('fields.nickname')} {...form.getInputProps('nickname')} />
      <Button
        type="submit"
        loading={sending.isSending}
        disabled={!form.isDirty() || conflicts.conflicts.length > 0}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('common.save')}
      </Button>
    </PageForm>
  )
}

/** Callers can change their own e-mail only by a link to the new address. */
const EmailField = ({ user, ...input }: { user: User } & TextInputProps) => {
  const { t } = useTranslation()
  const isOwn = useMe().user.id === user.id
  const hint = (
    <>
      {t('users.ownEmail')}{' '}
      <Anchor href={accountPages.signIn} inherit underline="always">
        {t('common.toFactors')}
      </Anchor>
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

interface ConflictNoteProps extends Conflicts {
  labels: Record<string, string>
}

/** Shows both values of each field that another user changed meanwhile, and asks which value to keep. */
const ConflictNote = ({ conflicts, labels, takeTheirs, keepMine }: ConflictNoteProps) => {
  const { t } = useTranslation()
  if (conflicts.length === 0) return null
  return (
    <Alert color="yellow" role="alert" icon={<IconUsers />} title={t('common.conflictTitle')}>
      <Stack gap="sm">
        {conflicts.map(({ field, theirs, mine }) => (
          <Stack key={field} gap={4}>
            <Text size="sm" className="breakable">
              {t('common.conflict', { field: labels[field], theirs: theirs || '–', mine: mine || '–' })}
            </Text>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => takeTheirs(field)}>
                {t('common.takeTheirs')}
              </Button>
              <Button size="xs" variant="default" onClick={() => keepMine(field)}>
                {t('common.keepMine')}
              </Button>
            </Group>
          </Stack>
        ))}
      </Stack>
    </Alert>
  )
}

interface UserFactsProps {
  user: UserDetails
  /** True if a form beside it shows e-mail and nickname. */
  isEdited: boolean
}

const UserFacts = ({ user, isEdited }: UserFactsProps) => {
  const { t } = useTranslation()
  const { security } = user
  return (
    <DataList>
      <Fact label={t('fields.username')}>{user.username}</Fact>
      {!isEdited && <Fact label={t('fields.email')}>{user.email}</Fact>}
      {security && (
        <Fact label={t('users.emailState')}>
          <EmailState isConfirmed={security.email_confirmed} />
        </Fact>
      )}
      {!isEdited && <Fact label={t('fields.nickname')}>{user.nickname || '–'}</Fact>}
      <Fact label={t('fields.lastLogin')}>
        <MomentAndAgo at={user.last_login} />
        {security?.last_ip && `, ${t('users.fromAddress', { ip: security.last_ip })}`}
      </Fact>
      {security && (
        <Fact label={t('users.createdAt')}>
          <MomentAndAgo at={security.created_at} />
        </Fact>
      )}
      <Invited id={user.id} />
      <Fact label={t('fields.id')}>{user.id}</Fact>
    </DataList>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <DataList.Item>
    <DataList.ItemLabel>{label}</DataList.ItemLabel>
    <DataList.ItemValue className="breakable">{children}</DataList.ItemValue>
  </DataList.Item>
)

/** The record of the accepted invitation. Null for a user who was created, and after the record's retention. */
const useAcceptance = (id: number) => {
  const { api, tenantId } = useScope()
  const query = { user_id: id, action: 'invitation.accept', page_size: 1 }
  return useQuery({
    queryKey: ['audit', tenantId, 'acceptance', id],
    queryFn: async ({ signal }) => (await api.audit.list(query, { signal })).items[0] ?? null,
    enabled: useMe().can('audit:read'),
  })
}

const Invited = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const { data: record } = useAcceptance(id)
  if (!record) return null
  const { to: inviter } = record.detail['invited_by'] as { to: number }
  return (
    <Fact label={t('users.invitedBy')}>
      {inviter === 0 ? t('users.byImport') : <CallerLink id={inviter} />}
      <Ago at={record.created_at} c="dimmed" />
    </Fact>
  )
}
