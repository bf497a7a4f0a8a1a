import { List, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, type Membership } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useErrorText } from '../../components/error-text.ts'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client, reportSwitch, signOut } from '../../session/client.ts'
import { membershipsQuery, useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'

/** After the request the page has a session in the new tenant, and reloads. */
const useCreateForm = (username: string) => {
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { organization: '', slug: '', username },
    validate: {
      organization: check('organization'),
      slug: (text) => (text === '' ? null : check('slug')(text)),
      username: check('username'),
    },
  })
  const sending = useSubmit(form, async ({ organization, slug, username: name }) => {
    const names = { organization: organization.trim(), username: name.trim() }
    await client.auth.createOrganization(slug === '' ? names : { ...names, slug })
    reportSwitch()
  })
  return { form, sending }
}

export const CreateOrganization = ({ username, onClose }: { username: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const { form, sending } = useCreateForm(username)
  return (
    <FieldsDialog title={t('signUp.own')} submit={t('signUp.submit')} isReady {...{ form, sending, onClose }}>
      <Text size="sm" c="dimmed">
        {t('signUp.ownText')}
      </Text>
      <TextInput
        label={t('signUp.name')}
        autoComplete="organization"
        required
        data-autofocus
        {...form.getInputProps('organization')}
      />
      <TextInput
        label={t('signUp.slug')}
        description={t('signUp.slugHint')}
        autoComplete="off"
        {...form.getInputProps('slug')}
      />
      <TextInput
        label={t('fields.username')}
        description={t('fields.usernameHint')}
        autoComplete="off"
        required
        {...form.getInputProps('username')}
      />
    </FieldsDialog>
  )
}

const useDeletion = () =>
  useMutation({
    mutationFn: async (password: string) => {
      await client.auth.deleteAccount({ password })
      // The service has ended all sessions of the account, so this browser drops its own session.
      await signOut('deleted')
    },
  })

export const DeleteAccount = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { email } = useMe().user
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useDeletion()
  const isWrong = error instanceof ApiError && error.reason === 'oldPasswordWrong'
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('memberships.deleteTitle')}
      confirm={t('memberships.deleteAccount')}
      onConfirm={() => mutate(password)}
      word={email}
      isBlocked={password === ''}
      isPending={isPending}
      error={isWrong ? undefined : error}
      effect={
        <PasswordField
          label={t('profile.oldPassword')}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isWrong && textOf(error)}
        />
      }
    >
      <Erased />
    </ConfirmModal>
  )
}

const Erased = () => {
  const { t } = useTranslation()
  const { data = [] } = useQuery(membershipsQuery)
  return (
    <Stack gap="xs">
      <Text size="sm">{t('memberships.erased')}</Text>
      <List size="sm" className="breakable">
        <List.Item>{t('memberships.erasedAccount')}</List.Item>
        {data.map(({ tenant, username }) => (
          <List.Item key={tenant.id}>
            {t('memberships.erasedUser', { username, name: tenant.name })}
          </List.Item>
        ))}
      </List>
      <Text size="sm">{t('memberships.erasedForGood')}</Text>
    </Stack>
  )
}

/** Asks for the password, then saves the stored data of the person as a file. */
export const ExportAccount = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  // The service's refusal of the password names this field.
  const form = useForm({ initialValues: { old_password: '' } })
  const sending = useSubmit(form, async ({ old_password: password }) => {
    const file = await client.auth.exportAccount({ password })
    const day = new Date().toISOString().slice(0, 10)
    saveFile([await file.blob()], `personal-data-${day}.json`, 'application/json')
    notify(t('memberships.exported'))
    onClose()
  })
  return (
    <FieldsDialog
      title={t('memberships.exportTitle')}
      submit={t('memberships.exportConfirm')}
      {...{ form, sending, onClose }}
    >
      <Text size="sm">{t('memberships.exportAsk')}</Text>
      <PasswordField
        label={t('profile.oldPassword')}
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('old_password')}
      />
    </FieldsDialog>
  )
}

interface LeaveTenantProps {
  membership: Membership
  /** The tenant that the session switches to; undefined if all others are disabled. */
  next: Membership | undefined
  onClose: () => void
}

/**
 * Leaves the current tenant. Its session ends with the membership, so the person first switches to the next tenant. If
 * there is no next tenant, the person is signed out.
 */
const leaveCurrent = async (id: string, nextId: string | undefined): Promise<void> => {
  if (nextId === undefined) {
    await client.auth.leaveTenant(id)
    return signOut()
  }
  await client.auth.switchTenant({ tenant_id: nextId })
  try {
    await client.auth.leaveTenant(id)
  } catch (err) {
    await client.auth.switchTenant({ tenant_id: id })
    throw err
  }
  return reportSwitch()
}

const useEffectText = ({ membership, next }: LeaveTenantProps): string => {
  const { t } = useTranslation()
  if (!membership.is_current) return ''
  return next ? t('memberships.goOnIn', { name: next.tenant.name }) : t('memberships.goOnNowhere')
}

export const LeaveTenant = (props: LeaveTenantProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const queries = useQueryClient()
  const { membership, next, onClose } = props
  const { id, name } = membership.tenant
  const effect = useEffectText(props)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      // The page then has another session and reloads, or shows the sign-in.
      if (membership.is_current) return leaveCurrent(id, next?.tenant.id)
      await client.auth.leaveTenant(id)
      onClose()
      notify(t('memberships.left', { name }))
      return queries.invalidateQueries({ queryKey: membershipsQuery.queryKey })
    },
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('memberships.leaveTitle', { name })}
      confirm={t('memberships.leaveOne', { name })}
      onConfirm={mutate}
      isPending={isPending}
      error={error}
    >
      {t('memberships.leaveText')} {effect}
    </ConfirmModal>
  )
}
