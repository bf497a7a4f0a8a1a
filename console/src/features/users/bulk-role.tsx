import { Button, Group, Select, Stack, Text } from '@mantine/core'
import type { ListedUser, Role } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { endOf, useEndForm } from '../../components/end-fields.tsx'
import { useAskedList } from '../../components/use-asked-list.ts'
import { nameOf, useTimeZone } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { usePreview } from '../authz/authz.queries.ts'
import { Effect } from '../authz/authz.views.tsx'
import { RoleEndFields } from '../roles/role-end-fields.views.tsx'
import { useRoleOptions } from '../roles/role-options.views.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import type { RoleChange } from './use-many-users.ts'

interface BulkRoleProps {
  kind: RoleChange['kind']
  users: ListedUser[]
  onClose: () => void
  onConfirm: (users: ListedUser[], change: RoleChange) => void
}

/** The affected users. To give a role, the users without it; to remove it, its holders. */
const affectedBy = (kind: RoleChange['kind'], users: ListedUser[], { id }: Role): ListedUser[] =>
  users.filter(({ roles }) => !roles || roles.some((role) => role.id === id) === (kind === 'take'))

/** Gives a role to the selected users, or takes it. Shows the effect first. */
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
        <RoleChoice roles={roles} value={chosen} onChange={setChosen} />
        {role ? (
          <RoleEffect
            key={role.id}
            role={role}
            selected={count}
            {...{ kind, users: affectedBy(kind, users, role), onClose, onConfirm }}
          />
        ) : (
          <Buttons onClose={onClose} />
        )}
      </Stack>
    </Dialog>
  )
}

interface RoleChoiceProps {
  roles: Role[]
  value: string | null
  onChange: (value: string | null) => void
}

/** Opens with its list: the person came to choose. */
const RoleChoice = ({ roles, ...choice }: RoleChoiceProps) => {
  const { t } = useTranslation()
  return (
    <Select
      label={t('users.chooseRole')}
      searchable
      data-autofocus
      {...choice}
      {...useRoleOptions(roles)}
      {...useAskedList(true)}
    />
  )
}

const Buttons = ({ onClose, children }: { onClose: () => void; children?: ReactNode }) => {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {t('common.cancel')}
      </Button>
      {children}
    </Group>
  )
}

/** How many of the selected users the change leaves as they are. */
const Skipped = ({
  kind,
  count,
  selected,
}: Pick<BulkRoleProps, 'kind'> & Record<'count' | 'selected', number>) => {
  const { t } = useTranslation()
  if (count === 0) return null
  return (
    <Text size="sm">
      {t(kind === 'give' ? 'roleEndForms.alreadyHave' : 'roleEndForms.lackIt', { count, selected })}
    </Text>
  )
}

interface RoleEffectProps extends BulkRoleProps {
  role: Role
  /** The number of all selected users; `users` are those that the change affects. */
  selected: number
}

const RoleEffect = ({ kind, role, users, selected, onClose, onConfirm }: RoleEffectProps) => {
  const { t } = useTranslation()
  const zone = useTimeZone()
  const form = useEndForm()
  const disabled = users.filter(({ status }) => status === 0).length
  const preview = usePreview(() =>
    users.map(({ id }) => ({
      kind: kind === 'give' ? 'assign_role' : 'unassign_role',
      user_id: id,
      role_id: role.id,
    })),
  )
  if (users.length === 0) {
    return (
      <>
        <Text size="sm">{kind === 'give' ? t('users.allHold') : t('users.noneHolds')}</Text>
        <Buttons onClose={onClose} />
      </>
    )
  }
  const confirm = form.onSubmit((ending) =>
    onConfirm(users, kind === 'give' ? { kind, role, expiresAt: endOf(ending, zone) } : { kind, role }),
  )
  return (
    <form noValidate onSubmit={confirm}>
      <Stack>
        <Skipped kind={kind} count={selected - users.length} selected={selected} />
        {kind === 'give' && <RoleEndFields form={form} />}
        {kind === 'give' && disabled > 0 && (
          <Text size="sm">{t('roleEndForms.toDisabled', { count: disabled })}</Text>
        )}
        <Effect preview={preview} names={users.map(nameOf)} />
        <Buttons onClose={onClose}>
          <Button type="submit" disabled={!preview.isOpen}>
            {kind === 'give'
              ? t('users.giveTo', { count: users.length })
              : t('users.takeOf', { count: users.length })}
          </Button>
        </Buttons>
      </Stack>
    </form>
  )
}
