import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { ApiError, type Permission, type Role, type User } from '@tenantry/client'
import { type ReactNode, useState } from 'react'
import { IconLock } from '@tabler/icons-react'
import { useErrorText } from '../../components/error-text.ts'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'

const isHeld = (error: unknown): boolean => error instanceof ApiError && error.reason === 'roleAlreadyHeld'

/** Assigns roles one after the other. Continues after a failure, and resolves to the last refusal. */
export const useGiveRoles = () => {
  const { api } = useScope()
  const textOf = useErrorText()
  return async (userId: number, roleIds: string[]): Promise<string | undefined> => {
    let refusal: string | undefined
    for (const id of roleIds) {
      await api.roles.assign({ userId, roleId: Number(id) }).catch((error: unknown) => {
        if (!isHeld(error)) refusal = textOf(error)
      })
    }
    return refusal
  }
}

/** A user, or a service account with its name as `username`. */
export type RoleHolder = Pick<User, 'id' | 'nickname' | 'status' | 'username'>

interface DraftBarProps {
  count: number
  onDiscard: () => void
  /** The window that shows the effect of the drafted permissions, and saves them. */
  children: (onClose: () => void) => ReactNode
}

/** Always visible: offers to review or discard drafted permissions. Asks before they are lost. */
export const DraftBar = ({ count, onDiscard, children }: DraftBarProps) => {
  const { t } = useTranslation()
  const [isReviewing, setReviewing] = useState(false)
  return (
    <>
      <LeaveQuestion isUnsaved={count > 0} title={t('roles.leaveTitle')} confirm={t('roles.leave')}>
        {t('roles.drafted', { count })}
      </LeaveQuestion>
      {count > 0 && (
        <Paper withBorder shadow="md" p="sm" className="draft-bar">
          <Text size="sm" fw={500} role="status">
            {t('roles.drafted', { count })}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onDiscard}>
              {t('roles.discard')}
            </Button>
            <Button onClick={() => setReviewing(true)}>{t('roles.review')}</Button>
          </Group>
        </Paper>
      )}
      {isReviewing && children(() => setReviewing(false))}
    </>
  )
}

/** Marks a system role, and a role that the caller cannot change. */
export const RoleMark = ({ role, canChange }: { role: Role; canChange: boolean }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  if (role.is_system) {
    return (
      <Badge size="sm" variant="default" tt="none" fw={500} miw="max-content" title={t('roles.systemText')}>
        {t('roles.system')}
      </Badge>
    )
  }
  return can('role:update') && !canChange ? (
    <IconLock size={14} role="img" aria-label={t('roles.outranks')} title={t('roles.outranks')} />
  ) : null
}

interface ChangedPermissionsProps {
  label: string
  sign: string
  color: string
  permissions: Permission[]
}

export const ChangedPermissions = ({ label, sign, color, permissions }: ChangedPermissionsProps) => {
  if (permissions.length === 0) return null
  return (
    <Stack gap={2} role="list" aria-label={label}>
      {permissions.map(({ id, name, code }) => (
        <Group key={id} gap="xs" role="listitem" wrap="nowrap">
          <Text size="sm" c={color} fw={600} ff="monospace">
            {sign}
          </Text>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {code}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
