import { Button, Group, Select, Stack, Text } from '@mantine/core'
import type { ListedUser, Role } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { Dialog } from '../../components/dialog.tsx'
import { nameOf } from '../../format.ts'
import { usePreview } from '../authz/authz.queries.ts'
import { Effect } from '../authz/authz.views.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import { useRoleOptions } from '../roles/roles.views.tsx'
import type { RoleChange } from './use-many-users.ts'

interface BulkRoleProps {
  kind: RoleChange
  users: ListedUser[]
  onClose: () => void
  onConfirm: (users: ListedUser[], role: Role) => void
}

/** The affected users: to give a role, those without it; to take it, its holders. */
const affectedBy = (kind: RoleChange, users: ListedUser[], { id }: Role): ListedUser[] =>
  users.filter(({ roles }) => !roles || roles.some((role) => role.id === id) === (kind === 'take'))

export const BulkRole = ({ kind, users, onClose, onConfirm }: BulkRoleProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const [chosen, setChosen] = useState<string | null>(null)
  const role = roles.find(({ id }) => String(id) === chosen)
  const count = users.length
  return (
    <Dialog
      opened
      onClose={onClose}
      title={kind === 'give' ? t('users.giveRoleTo', { count }) : t('users.takeRoleOf', { count })}
    >
      <Stack>
        <Select
          label={t('users.chooseRole')}
          searchable
          value={chosen}
          onChange={setChosen}
          data-autofocus
          {...useRoleOptions(roles)}
        />
        {role && (
          <RoleEffect
            key={role.id}
            role={role}
            {...{ kind, users: affectedBy(kind, users, role), onConfirm }}
          />
        )}
      </Stack>
    </Dialog>
  )
}

type RoleEffectProps = Omit<BulkRoleProps, 'onClose'> & { role: Role }

const RoleEffect = ({ kind, role, users, onConfirm }: RoleEffectProps) => {
  const { t } = useTranslation()
  const preview = usePreview(() =>
    users.map(({ id }) => ({
      kind: kind === 'give' ? 'assign_role' : 'unassign_role',
      user_id: id,
      role_id: role.id,
    })),
  )
  if (users.length === 0) {
    return <Text size="sm">{kind === 'give' ? t('users.allHold') : t('users.noneHolds')}</Text>
  }
  return (
    <>
      <Effect preview={preview} names={users.map(nameOf)} />
      <Group justify="flex-end">
        <Button disabled={!preview.isOpen} onClick={() => onConfirm(users, role)}>
          {kind === 'give'
            ? t('users.giveTo', { count: users.length })
            : t('users.takeOf', { count: users.length })}
        </Button>
      </Group>
    </>
  )
}
