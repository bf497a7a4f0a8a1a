import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Invitation } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { StartingRoles } from '../users/users.views.tsx'
import { useRenewInvitations } from './invitations.queries.ts'
import { ShownLink } from './shown-link.tsx'

const useInviteForm = (onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewInvitations()
  const check = useFieldChecks()
  const [made, setMade] = useState<Invitation>()
  const form = useForm({
    initialValues: { email: '', nickname: '', roles: [] as string[] },
    validate: { email: check('email'), nickname: check('nickname') },
  })
  const sending = useSubmit(form, async ({ roles, ...fields }) => {
    const invitation = await api.invitations.create({ ...fields, role_ids: roles.map(Number) })
    if (invitation.link === '') {
      notify(t('invitations.sent', { email: invitation.email }))
      onClose()
    } else {
      setMade(invitation)
    }
    await renew()
  })
  return { form, made, ...sending }
}

interface InviteDialogProps {
  onClose: () => void
}

/** Invites a person. Where no e-mail is sent, it shows the link to hand on. */
export const InviteDialog = ({ onClose }: InviteDialogProps) => {
  const { t } = useTranslation()
  const inviting = useInviteForm(onClose)
  const { form, made, isSending } = inviting
  return (
    <FormDialog
      isDirty={!made && form.isDirty()}
      onClose={onClose}
      title={t(made ? 'invitations.isMade' : 'invitations.invite')}
      closeOnClickOutside={false}
      isPending={isSending}
    >
      {made ? (
        <ShownLink invitation={made} onClose={onClose} />
      ) : (
        <InviteForm inviting={inviting} onClose={onClose} />
      )}
    </FormDialog>
  )
}

interface InviteFormProps extends InviteDialogProps {
  inviting: ReturnType<typeof useInviteForm>
}

const InviteForm = ({ inviting, onClose }: InviteFormProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { form, onSubmit, isSending, error } = inviting
  return (
    <form noValidate onSubmit={onSubmit} autoComplete="off">
      <Stack>
        {error !== undefined && <ErrorPanel error={error} />}
        <Text size="sm" c="dimmed">
          {t('invitations.inviteHint')}
        </Text>
        <TextInput
          label={t('fields.email')}
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <TextInput label={t('fields.nickname')} {...form.getInputProps('nickname')} />
        {can('role:read') && (
          <StartingRoles value={form.values.roles} onChange={(roles) => form.setValues({ roles })} />
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('invitations.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
