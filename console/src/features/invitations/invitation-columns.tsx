import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import type { Invitation } from '@tenantry/client'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import { Ago } from '../../components/ago.tsx'
import type { Column } from '../../components/table-model.ts'
import { useMe } from '../../session/me.ts'
import { useLacking, useRoles } from '../roles/roles.queries.ts'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'

export interface InvitationAction {
  kind: 'resend' | 'revoke'
  invitation: Invitation
}

const colors = { pending: 'indigo', expired: 'orange', accepted: 'teal', revoked: 'gray' }

const Status = ({ status }: Pick<Invitation, 'status'>) => {
  const { t } = useTranslation()
  return (
    <Badge variant="dot" color={colors[status]} tt="none" fw={500} miw="max-content">
      {t(`invitations.${status}`)}
    </Badge>
  )
}

const Person = ({ invitation: { email, nickname } }: { invitation: Invitation }) => (
  <Stack gap={0} miw={0}>
    <Text size="sm" fw={500} className="cut" title={email}>
      {email}
    </Text>
    {nickname !== '' && (
      <Text size="xs" c="dimmed" className="cut" title={nickname}>
        {nickname}
      </Text>
    )}
  </Stack>
)

const Inviter = ({ invitation: { created_at, invited_by } }: { invitation: Invitation }) => {
  const { t } = useTranslation()
  return (
    <Stack gap={0}>
      <Ago at={created_at} />
      {invited_by === 0 ? (
        <Text size="xs">{t('invitations.byImport')}</Text>
      ) : (
        <CallerLink id={invited_by} size="xs" />
      )}
    </Stack>
  )
}

interface ActionsProps {
  invitation: Invitation
  onAction: (action: InvitationAction) => void
}

/** Sending again needs the permissions of the roles, as assigning them does. */
const Actions = ({ invitation, onAction }: ActionsProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const lacking = useLacking()(roles.filter(({ id }) => invitation.role_ids.includes(id)))
  const { email, status } = invitation
  if (status !== 'pending' && status !== 'expired') return null
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {lacking.length === 0 && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('invitations.resendTo', { email })}
          onClick={() => onAction({ kind: 'resend', invitation })}
        >
          {t('invitations.resend')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('invitations.revokeOf', { email })}
        onClick={() => onAction({ kind: 'revoke', invitation })}
      >
        {t('invitations.revoke')}
      </Button>
    </Group>
  )
}

const RoleNames = ({ ids }: { ids: number[] }) => {
  const { data: roles = [] } = useRoles()
  const names = roles.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return (
    <Text size="sm" className="cut" title={names.map(isolated).join(', ')}>
      {names.map(isolated).join(', ')}
    </Text>
  )
}

export const useInvitationColumns = (onAction: (action: InvitationAction) => void): Column<Invitation>[] => {
  const { t } = useTranslation()
  const { can } = useMe()
  const roles: Column<Invitation> = {
    key: 'roles',
    header: t('users.roles'),
    cell: ({ role_ids }) => <RoleNames ids={role_ids} />,
  }
  const actions: Column<Invitation> = {
    key: 'actions',
    width: 12.5,
    header: t('table.actions'),
    isActions: true,
    isFixed: true,
    cell: (invitation) => <Actions {...{ invitation, onAction }} />,
  }
  return [
    {
      key: 'email',
      header: t('fields.email'),
      isFixed: true,
      cell: (invitation) => <Person invitation={invitation} />,
    },
    {
      key: 'status',
      width: 7.5,
      header: t('fields.status'),
      cell: ({ status }) => <Status status={status} />,
    },
    ...(can('role:read') ? [roles] : []),
    {
      key: 'invited',
      width: 10,
      header: t('invitations.invited'),
      cell: (invitation) => <Inviter invitation={invitation} />,
    },
    {
      key: 'expires',
      width: 7,
      header: t('invitations.expires'),
      cell: ({ expires_at: at }) => <Ago at={at} />,
    },
    ...(can('user:create') ? [actions] : []),
  ]
}
