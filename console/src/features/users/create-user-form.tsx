import { Button, Group, MultiSelect, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useErrorText } from '../../components/error-text.ts'
import { useFieldChecks } from '../../components/field-checks.ts'
import { NewPasswordField } from '../../components/new-password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRoleOptions } from './role-options.tsx'
import { useRenewUsers, useRoles } from './user-queries.ts'

/** Every new user has it from the start. */
const startingRole = 'member'

/** Gives roles one after the other; says why one could not be given, and goes on. */
const useGiveRoles = () => {
  const { api } = useScope()
  const textOf = useErrorText()
  return async (userId: number, roleIds: string[]): Promise<string | undefined> => {
    let refusal: string | undefined
    for (const id of roleIds) {
      await api.roles.assign({ userId, roleId: Number(id) }).catch((error: unknown) => {
        refusal = textOf(error)
      })
    }
    return refusal
  }
}

export interface Created {
  user: User
  password: string
  /** Why a role could not be given. */
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

/** What a new user needs, errors beside their fields. */
export const CreateUserForm = ({ creating, onClose }: CreateUserFormProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { form, onSubmit, isSending, error } = creating
  return (
    <form onSubmit={onSubmit} autoComplete="off">
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
          <RolesToGive value={form.values.roles} onChange={(roles) => form.setValues({ roles })} />
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

interface RolesToGiveProps {
  value: string[]
  onChange: (ids: string[]) => void
}

const RolesToGive = (props: RolesToGiveProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const options = useRoleOptions(roles.filter(({ name, is_system }) => !(is_system && name === startingRole)))
  return (
    <MultiSelect
      label={t('users.rolesToGive')}
      description={t('users.rolesToGiveHint')}
      searchable
      {...options}
      {...props}
    />
  )
}
