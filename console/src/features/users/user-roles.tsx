import { ActionIcon, Button, Card, Group, Select, Stack, Text, Title, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Role, User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRoleOptions } from './role-options.tsx'
import { nameOf, useRenewUsers, useRoles } from './user-queries.ts'

interface UserRolesProps {
  user: User
  roles: Role[]
  canChange: boolean
}

export const UserRoles = ({ user, roles, canChange }: UserRolesProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [leaving, setLeaving] = useState<Role>()
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('users.roles')}
      </Title>
      <Stack gap="sm">
        {roles.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('users.noRoles')}
          </Text>
        )}
        {roles.map((role) => (
          <Group key={role.id} justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={0} miw={0}>
              <Text size="sm" fw={500} className="breakable">
                {role.name}
              </Text>
              <Text size="sm" c="dimmed" className="breakable">
                {role.description}
              </Text>
            </Stack>
            {canChange && can('role:assign') && (
              <Tooltip label={t('users.takeRole', { role: role.name })}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('users.takeRole', { role: role.name })}
                  onClick={() => setLeaving(role)}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
        ))}
        {can('role:assign') && can('role:read') && <GiveRole user={user} held={roles} />}
      </Stack>
      {leaving && <TakeRole user={user} role={leaving} held={roles} onClose={() => setLeaving(undefined)} />}
    </Card>
  )
}

const useGive = (user: User, onDone: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  return useMutation({
    mutationFn: (roleId: number) => api.roles.assign({ userId: user.id, roleId }),
    onSuccess: async () => {
      onDone()
      notify(t('users.roleGiven'))
      await renew(user.id)
    },
  })
}

const GiveRole = ({ user, held }: { user: User; held: Role[] }) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const [chosen, setChosen] = useState<string | null>(null)
  const giving = useGive(user, () => setChosen(null))
  const options = useRoleOptions(roles.filter(({ id }) => held.every((role) => role.id !== id)))
  if (options.data.length === 0) return null
  return (
    <Stack gap="sm" mt="xs">
      <Group align="flex-end" wrap="nowrap">
        <Select
          label={t('users.giveRole')}
          placeholder={t('users.chooseRole')}
          searchable
          clearable
          flex={1}
          value={chosen}
          onChange={setChosen}
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          {...options}
        />
        <Button
          disabled={chosen === null}
          loading={giving.isPending}
          onClick={() => giving.mutate(Number(chosen))}
        >
          {t('users.give')}
        </Button>
      </Group>
      {giving.isError && <ErrorPanel error={giving.error} />}
    </Stack>
  )
}

interface TakeRoleProps {
  user: User
  role: Role
  held: Role[]
  onClose: () => void
}

/** Asks before, with what the user loses by it: another role may permit the same. */
export const TakeRole = ({ user, role, held, onClose }: TakeRoleProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  const taking = useMutation({
    mutationFn: () => api.roles.unassign({ userId: user.id, roleId: role.id }),
    onSuccess: async () => {
      onClose()
      notify(t('users.roleTaken'))
      await renew(user.id)
    },
  })
  const others = held.filter(({ id }) => id !== role.id).flatMap(({ permissions }) => permissions)
  const kept = new Set(others.map(({ code }) => code))
  const lost = role.permissions.map(({ code }) => code).filter((code) => !kept.has(code))
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('users.takeRoleFrom', { role: role.name, name: nameOf(user) })}
      confirm={t('users.take')}
      onConfirm={() => taking.mutate()}
      isPending={taking.isPending}
      error={taking.error}
    >
      {lost.length === 0 ? t('users.losesNothing') : t('users.loses', { codes: lost.join(', ') })}
    </ConfirmModal>
  )
}
