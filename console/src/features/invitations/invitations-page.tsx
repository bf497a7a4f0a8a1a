import { Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Invitation } from '@tenantry/client'
import { Ago } from '../../components/ago.tsx'
import { BackLink } from '../../components/back-link.tsx'
import { Cut } from '../../components/cells.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import type { Column } from '../../components/table-model.ts'
import { useDialogs } from '../../components/use-dialogs.ts'
import { useFilterChange } from '../../components/use-page-change.ts'
import { isolated } from '../../isolate.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { useLacking, useRoles } from '../roles/roles.queries.ts'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'
import { useInvitations } from './invitations.queries.ts'
import { shownStates, type InvitationsSearch, type ShownState } from './invitations.search.ts'

const InviteDialog = lazyPart(async () => (await import('./invite-dialog.tsx')).InviteDialog)

const loadDialogs = () => import('./invitation-dialogs.tsx')
const dialogs = {
  resend: lazyPart(async () => (await loadDialogs()).ResendInvitation),
  revoke: lazyPart(async () => (await loadDialogs()).RevokeInvitation),
}

const route = getRouteApi('/shell/users/invitations')

const StatusChoice = () => {
  const { t } = useTranslation()
  const { state = 'pending' } = route.useSearch()
  const filter = useFilterChange<InvitationsSearch & { search?: undefined }>()
  const show = (chosen: ShownState): void => filter({ state: chosen === 'pending' ? undefined : chosen })
  return (
    <NativeSelect
      aria-label={t('fields.status')}
      w={200}
      data={shownStates.map((value) => ({
        value,
        label: value === 'all' ? t('common.all') : t(`invitations.${value}`),
      }))}
      value={state}
      onChange={({ currentTarget }) => show(currentTarget.value as ShownState)}
    />
  )
}

export const InvitationsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const { open, opened } = useDialogs<keyof typeof dialogs, { invitation: Invitation }>(dialogs)
  const invitations = useInvitations(search)
  return (
    <>
      <BackLink to="/users">{t('places.users')}</BackLink>
      <PageHeader
        title={t('places.invitations')}
        description={t('invitations.about')}
        actions={
          can('user:create') && (
            <DialogButton label={t('invitations.invite')}>
              {(onClose) => <InviteDialog onClose={onClose} />}
            </DialogButton>
          )
        }
      />
      <DataTable
        label={t('places.invitations')}
        name="invitations"
        columns={useInvitationColumns(({ kind, invitation }) => open(kind, { invitation }))}
        rows={invitations}
        news={useNews(['invitation'], invitations)}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        page={search}
        toolbar={<StatusChoice />}
        empty={{
          ...(search.state === undefined
            ? { title: t('invitations.nonePending') }
            : {
                title: t('invitations.none'),
                action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
              }),
          description: t('invitations.noneText'),
        }}
      />
      {opened}
    </>
  )
}

interface InvitationAction {
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
        <Text size="xs">{t('users.byImport')}</Text>
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

/** Sending again needs the permissions of the roles, as the assignment of roles does. */
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
  const held = roles.filter(({ id }) => ids.includes(id))
  return <Cut text={held.map(({ name }) => isolated(name)).join(', ')} />
}

const useInvitationColumns = (onAction: (action: InvitationAction) => void): Column<Invitation>[] => {
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
      isClear: true,
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
