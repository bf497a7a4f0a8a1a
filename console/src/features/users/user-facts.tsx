import { DataList } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@tenantry/client'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { Ago, MomentAndAgo } from '../../components/ago.tsx'
import { EmailState } from '../../components/email-state.tsx'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'

interface UserFactsProps {
  user: UserDetails
  /** True if a form beside shows e-mail and nickname. */
  isEdited: boolean
}

export const UserFacts = ({ user, isEdited }: UserFactsProps) => {
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
      {inviter === 0 ? t('invitations.byImport') : <CallerLink id={inviter} />}
      <Ago at={record.created_at} c="dimmed" />
    </Fact>
  )
}
