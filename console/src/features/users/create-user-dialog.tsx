import { Alert, Button, Code, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-text.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx'
import { NewPasswordField } from '../../components/new-password-field.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { nameOf } from '../../format.ts'
import { systemRoleIds } from '../../session/built-in.ts'
import { useMe, usePasswordRules } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { RolesToGive } from '../roles/roles-to-give.views.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import { useGiveRoles } from '../roles/roles.views.tsx'
import { useRenew } from '../../components/use-renew.ts'

/** Asks for a new user's data, then shows the credentials to pass on. */
export const CreateUserDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const creating = useCreateForm()
  const { form, created } = creating
  return (
    <FormDialog
      isDirty={!created && form.isDirty()}
      onClose={onClose}
      title={t(created ? 'users.isCreated' : 'users.create')}
      closeOnClickOutside={false}
      isPending={creating.isSending}
    >
      {created ? (
        <CreatedUser created={created} onClose={onClose} />
      ) : (
        <CreateUserForm creating={creating} onClose={onClose} />
      )}
    </FormDialog>
  )
}

interface CreatedUserProps {
  created: Created
  onClose: () => void
}

/** The password is shown once. */
const CreatedUser = ({ created: { user, password, refusal }, onClose }: CreatedUserProps) => {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text size="sm" role="status" className="breakable">
        {t('users.created', { name: nameOf(user) })}
      </Text>
      {refusal !== undefined && (
        <Alert color="yellow">{t('users.createdWithout', { reason: refusal })}</Alert>
      )}
      <Credentials user={user} password={password} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        <CopyButton text={password} label={t('fields.copyPassword')} />
      </Group>
    </Stack>
  )
}

const Credentials = ({ user, password }: Pick<Created, 'user' | 'password'>) => {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <TextLink to="/users/$userId" params={{ userId: String(user.id) }} size="sm" className="breakable">
        {user.email}
      </TextLink>
      <Code block className="whole" aria-label={t('fields.password')}>
        {password}
      </Code>
    </Stack>
  )
}

interface Created {
  user: User
  password: string
  /** The reason why a role could not be assigned. */
  refusal: string | undefined
}

const useCreateForm = () => {
  const { api } = useScope()
  const renew = useRenew()
  const giveRoles = useGiveRoles()
  const check = useFieldChecks()
  const [created, setCreated] = useState<Created>()
  const form = useForm({
    initialValues: {
      email: '',
      username: '',
      nickname: '',
      password: '',
      mustChange: false,
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
  const sending = useSubmit(form, async ({ isEnabled, mustChange, roles, ...fields }) => {
    const user = await api.users.create({
      ...fields,
      must_change_password: mustChange,
      status: isEnabled ? 1 : 0,
    })
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

const CreateUserForm = ({ creating, onClose }: CreateUserFormProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { form } = creating
  return (
    <DialogForm sending={creating} submit={t('users.create')} onCancel={onClose}>
      <TextInput
        label={t('fields.email')}
        type="email"
        autoComplete="off"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <TextInput
        label={t('fields.username')}
        description={t('fields.usernameHint')}
        autoComplete="off"
        required
        {...form.getInputProps('username')}
      />
      <TextInput label={t('fields.nickname')} autoComplete="off" {...form.getInputProps('nickname')} />
      <NewPasswordField
        label={t('fields.password')}
        rules={usePasswordRules(useScope().tenantId)}
        required
        {...form.getInputProps('password')}
        value={form.values.password}
      />
      <Switch
        label={t('users.mustChange')}
        description={t('users.mustChangeHint')}
        {...form.getInputProps('mustChange', { type: 'checkbox' })}
      />
      {can('role:read') && can('role:assign') && (
        <StartingRoles value={form.values.roles} onChange={(roles) => form.setValues({ roles })} />
      )}
      <Switch
        label={t('common.enabled')}
        description={t('users.enabledHint')}
        {...form.getInputProps('isEnabled', { type: 'checkbox' })}
      />
    </DialogForm>
  )
}

interface StartingRolesProps {
  value: string[]
  onChange: (ids: string[]) => void
}

/** The roles of a person besides the role of every new user. */
export const StartingRoles = (props: StartingRolesProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  return (
    <RolesToGive
      roles={roles.filter(({ id }) => id !== systemRoleIds.member)}
      description={t('users.rolesToGiveHint')}
      {...props}
    />
  )
}
