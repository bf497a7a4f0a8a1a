import { Button, NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { BackLink } from '../../components/back-link.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { useNews } from '../../components/list-news.tsx'
import { useMe } from '../../session/me.ts'
import { useInvitationColumns, type InvitationAction } from './invitation-columns.tsx'
import { useInvitations } from './invitations.queries.ts'
import { shownStates, type ShownState } from './invitations.search.ts'

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
  const navigate = route.useNavigate()
  const show = (chosen: ShownState): void =>
    // Another filter starts at its first page.
    void navigate({
      search: (others) => ({ ...others, page: undefined, state: chosen === 'pending' ? undefined : chosen }),
      replace: true,
    })
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

const Invite = () => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('invitations.invite')}</Button>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const OpenedDialog = ({ asked, onClose }: { asked: InvitationAction; onClose: () => void }) => {
  const Dialog = dialogs[asked.kind]
  return <Dialog invitation={asked.invitation} onClose={onClose} />
}

export const InvitationsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const [asked, setAsked] = useState<InvitationAction>()
  const invitations = useInvitations(search)
  return (
    <>
      <BackLink to="/users">{t('places.users')}</BackLink>
      <PageHeader
        title={t('places.invitations')}
        description={t('invitations.about')}
        actions={can('user:create') && <Invite />}
      />
      <DataTable
        label={t('places.invitations')}
        name="invitations"
        columns={useInvitationColumns(setAsked)}
        rows={invitations}
        news={useNews(['invitation'], invitations)}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        page={search}
        onPage={usePageChange()}
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
      {asked && <OpenedDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
