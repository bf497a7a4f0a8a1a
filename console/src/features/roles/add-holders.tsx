import { Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Role } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { BulkProgress } from '../../components/bulk-progress.tsx'
import { endOf, useEndForm, type EndValues } from '../../components/end-fields.tsx'
import { useTimeZone } from '../../format.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { errorOfRow } from '../../components/row-error.ts'
import { useBulk } from '../../components/use-bulk.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { usePreview } from '../authz/authz.queries.ts'
import { Effect } from '../authz/authz.views.tsx'
import { Recipients, type Recipient } from '../notifications/recipients.views.tsx'
import { useRenew } from '../../components/use-renew.ts'
import { RoleEndFields } from './role-end-fields.views.tsx'

interface AddHoldersProps {
  role: Role
  onClose: () => void
}

const useGiving = ({ role, onClose }: AddHoldersProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const renew = useRenew()
  const bulk = useBulk<Recipient>()
  const [chosen, setChosen] = useState<Recipient[]>([])
  const give = async (expiresAt: string | undefined): Promise<void> => {
    const given = await bulk.runTogether(chosen, async (part) => {
      const { results } = await api.roles.changeUsers(role.id, {
        user_ids: part.map(({ id }) => id),
        held: true,
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      })
      const errors = new Map(results.map(({ user_id: id, error }) => [id, errorOfRow(error)]))
      return part.map(({ id }) => errors.get(id))
    })
    if (given.length > 0) notify(t('users.rolesGiven', { count: given.length, role: role.name }))
    if (given.length === chosen.length) onClose()
    else setChosen(chosen.filter((user) => !given.includes(user)))
    await renew()
  }
  return { bulk, chosen, setChosen, give }
}

/** Shows the gains of several users, and then gives them the role. Users for whom that fails stay selected. */
export const AddHolders = (props: AddHoldersProps) => {
  const { t } = useTranslation()
  const { bulk, chosen, setChosen, give } = useGiving(props)
  const { isRunning } = bulk.state
  const form = useEndForm()
  return (
    <FormDialog
      title={t('roles.addTitle', { name: props.role.name })}
      isDirty={chosen.length > 0}
      isPending={isRunning}
      onClose={props.onClose}
    >
      <Stack>
        <Recipients label={t('places.users')} chosen={chosen} onChange={setChosen} />
        <RoleEndFields form={form} />
        <BulkProgress {...bulk} nameOf={({ name }) => name} />
        {chosen.length > 0 && (
          <Gains
            key={chosen.map(({ id }) => id).join()}
            form={form}
            role={props.role}
            users={chosen}
            isRunning={isRunning}
            onGive={(expiresAt) => void give(expiresAt)}
          />
        )}
      </Stack>
    </FormDialog>
  )
}

interface GainsProps {
  role: Role
  users: Recipient[]
  form: UseFormReturnType<EndValues>
  isRunning: boolean
  onGive: (expiresAt: string | undefined) => void
}

const Gains = ({ form, role, users, isRunning, onGive }: GainsProps) => {
  const { t } = useTranslation()
  const preview = usePreview(() =>
    users.map(({ id }) => ({ kind: 'assign_role', user_id: id, role_id: role.id })),
  )
  const zone = useTimeZone()
  return (
    <form noValidate onSubmit={form.onSubmit((ending) => onGive(endOf(ending, zone)))}>
      <Stack>
        <Effect preview={preview} names={users.map(({ name }) => name)} />
        <Group justify="flex-end">
          <Button type="submit" disabled={!preview.isOpen} loading={isRunning}>
            {t('users.giveTo', { count: users.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
