import { ActionIcon, Text } from '@mantine/core'
import { IconCalendarClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RoleAssignment } from '@tenantry/client'
import { useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useFormat } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRoleName } from '../../system-roles.ts'
import { useTranslation } from '../../translation.ts'
import type { RoleHolder } from './roles.views.tsx'

const loadDialog = loadPage(['access', 'roleEnds'], () => import('./role-end-dialog.tsx'))
const ChangeEndDialog = lazyPart(async () => (await loadDialog()).ChangeEndDialog)

/** The assignments of a user by role. Undefined while they load. Makes no request if the caller may not see them. */
export const useAssignmentsOf = (userId: number): Map<number, RoleAssignment> | undefined => {
  const { api, tenantId } = useScope()
  const { user, can } = useMe()
  const { data, isLoading } = useQuery({
    queryKey: ['users', tenantId, 'assignments', userId],
    queryFn: ({ signal }) => api.roles.assignments({ user_id: userId, page_size: 200 }, { signal }),
    enabled: userId === user.id || (can('role:read') && can('user:read')),
  })
  const roleName = useRoleName()
  if (isLoading) return undefined
  const named = data?.items.map((one) => ({ ...one, role: { ...one.role, name: roleName(one.role.name) } }))
  return new Map(named?.map((one) => [one.role.id, one]))
}

/** The end of a role, and its giver. */
export const AssignmentFacts = ({ assignment }: { assignment: RoleAssignment }) => {
  const { t, gap } = useTranslation()
  const format = useFormat()
  const { expires_at: end, assigned_by: giver, source } = assignment
  const texts = [
    end !== '' && t('roleEnds.until', { time: format.moment(end) }),
    source === 'sso' && t('roleEnds.byGroup'),
    source === 'invitation' && giver.name !== '' && t('roleEnds.byInvitation', { name: giver.name }),
    source === 'manual' && giver.name !== '' && t('roleEnds.byHand', { name: giver.name }),
  ].filter((text) => text !== false)
  return texts.length === 0 ? null : (
    <Text size="xs" className="breakable">
      {texts.join(gap)}
    </Text>
  )
}

interface ChangeEndProps {
  user: RoleHolder
  assignment: RoleAssignment
}

/** The button that changes the end of a role. A role of a group has none. */
export const ChangeEnd = ({ user, assignment }: ChangeEndProps) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const label = t('roleEnds.change', { role: assignment.role.name })
  if (assignment.source === 'sso') return null
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        data-hint={label}
        onClick={() => setOpen(true)}
      >
        <IconCalendarClock size={16} />
      </ActionIcon>
      {isOpen && <ChangeEndDialog user={user} assignment={assignment} onClose={() => setOpen(false)} />}
    </>
  )
}
