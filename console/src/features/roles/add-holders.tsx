import { Button, Group, Stack, Text } from '@mantine/core'
import type { Role } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { BulkProgress } from '../../components/bulk-progress.tsx'
import { endOf, useEndForm } from '../../components/end-fields.tsx'
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
  const { role, onClose } = props
  const { t } = useTranslation()
  const zone = useTimeZone()
  const { bulk, chosen, setChosen, give } = useGiving(props)
  const { isRunning } = bulk.state
  const form = useEndForm()
  const count = chosen.length
  return (
    <FormDialog
      title={t('roles.addTitle', { name: role.name })}
      isDirty={count > 0}
      isPending={isRunning}
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit((ending) => void give(endOf(ending, zone)))}>
        <Stack>
          <Recipients label={t('places.users')} openOnFocus={false} chosen={chosen} onChange={setChosen} />
          <RoleEndFields form={form} />
          <BulkProgress {...bulk} nameOf={({ name }) => name} />
          {count > 0 ? (
            <Gains key={chosen.map(({ id }) => id).join()} {...{ role, isRunning, onClose }} users={chosen} />
          ) : (
            <>
              <Text size="sm" c="dimmed">
                {t('roleEndForms.selectFirst')}
              </Text>
              <Buttons label={t('roles.add')} isOpen={false} {...{ isRunning, onClose }} />
            </>
          )}
        </Stack>
      </form>
    </FormDialog>
  )
}

interface ButtonsProps {
  label: string
  isOpen: boolean
  isRunning: boolean
  onClose: () => void
}

const Buttons = ({ label, isOpen, isRunning, onClose }: ButtonsProps) => {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end" className="dialog-actions">
      <Button variant="default" disabled={isRunning} onClick={onClose}>
        {t('common.cancel')}
      </Button>
      <Button type="submit" disabled={!isOpen} loading={isRunning}>
        {label}
      </Button>
    </Group>
  )
}

interface GainsProps extends AddHoldersProps, Pick<ButtonsProps, 'isRunning'> {
  users: Recipient[]
}

const Gains = ({ role, users, ...buttons }: GainsProps) => {
  const { t } = useTranslation()
  const disabled = users.filter(({ status }) => status === 0).length
  const preview = usePreview(() =>
    users.map(({ id }) => ({ kind: 'assign_role', user_id: id, role_id: role.id })),
  )
  return (
    <>
      {disabled > 0 && <Text size="sm">{t('roleEndForms.toDisabled', { count: disabled })}</Text>}
      <Effect preview={preview} names={users.map(({ name }) => name)} />
      <Buttons label={t('users.giveTo', { count: users.length })} isOpen={preview.isOpen} {...buttons} />
    </>
  )
}
