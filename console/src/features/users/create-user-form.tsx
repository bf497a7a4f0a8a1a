import { Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { NewPasswordField } from '../../components/new-password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useGiveRoles } from '../roles/roles.views.tsx'
import { StartingRoles } from './starting-roles.tsx'
import { useRenewUsers } from './users.queries.ts'

export interface Created {
  user: User
  password: string
  /** Why a role could not be assigned. */
  refusal: string | undefined
}

export const useCreateForm = () => {
  const { api } = useScope()
  const renew = useRenewUsers()
  const giveRoles = useGiveRoles()
  const check = useFieldChecks()
  const [created, setCreated] = useState<Created>()
  const form = useForm({
    initialValues: {
      email: '',
      username: '',
      nickname: '',
      password: '',
      isEnabled: true,
      roles: [] as string[],
    },
    validate: {
      email: check('email'),
      username: check('username'),
      nickname: check('nickname'),
      password: check('password'),
    },
  })
  const sending = useSubmit(form, async ({ isEnabled, roles, ...fields }) => {
    const user = await api.users.create({ ...fields, status: isEnabled ? 1 : 0 })
    const refusal = await giveRoles(user.id, roles)
    setCreated({ user, password: fields.password, refusal })
    await renew()
  })
  return { form, created, ...sending }
}

interface CreateUserFormProps {
  creating: ReturnType<typeof useCreateForm>
  onClose: () => void
}

export const CreateUserForm = ({ creating, onClose }: CreateUserFormProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { form, onSubmit, isSending, error } = creating
  return (
    <form noValidate onSubmit={onSubmit} autoComplete="off">
      <Stack>
        {error !== undefined && <ErrorPanel error={error} />}
        <TextInput
          label={t('fields.email')}
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <TextInput
          label={t('fields.username')}
          description={t('fields.usernameHint')}
          required
          {...form.getInputProps('username')}
        />
        <TextInput label={t('fields.nickname')} {...form.getInputProps('nickname')} />
        <NewPasswordField
          label={t('fields.password')}
          required
          {...form.getInputProps('password')}
          value={form.values.password}
        />
        {can('role:read') && can('role:assign') && (
          <StartingRoles value={form.values.roles} onChange={(roles) => form.setValues({ roles })} />
        )}
        <Switch
          label={t('common.enabled')}
          description={t('users.enabledHint')}
          {...form.getInputProps('isEnabled', { type: 'checkbox' })}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('users.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
