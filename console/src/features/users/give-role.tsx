import { Button, Group, Stack } from '@mantine/core'
import { endOf, useEndForm } from '../../components/end-fields.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useTimeZone } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { usePreview } from '../authz/authz.queries.ts'
import { Effect } from '../authz/authz.views.tsx'
import { RoleEndFields } from '../roles/role-end-fields.views.tsx'
import type { RoleHolder } from '../roles/roles.views.tsx'
import type { Giving } from './user-access.tsx'

interface GiveChosenProps {
  user: RoleHolder
  roleId: number
  giving: Giving
}

/** Shows the user's gains before the caller can give the role. */
export const GiveChosen = ({ user, roleId, giving }: GiveChosenProps) => {
  const { t } = useTranslation()
  const preview = usePreview(() => [{ kind: 'assign_role', user_id: user.id, role_id: roleId }])
  const zone = useTimeZone()
  const form = useEndForm()
  const give = form.onSubmit((ending) => giving.mutate({ roleId, expiresAt: endOf(ending, zone) }))
  return (
    <form noValidate onSubmit={give}>
      <Stack gap="sm">
        <RoleEndFields form={form} />
        <Effect preview={preview} />
        {giving.isError && giving.variables.roleId === roleId && <ErrorPanel error={giving.error} />}
        <Group justify="flex-end">
          <Button type="submit" disabled={!preview.isOpen} loading={giving.isPending}>
            {t('users.give')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
