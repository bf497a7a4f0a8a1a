import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ManyChoice } from '../../components/many-choice.tsx'
import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { useRoleOptions } from '../roles/role-options.views.tsx'
import { canAccountHold } from '../service-accounts/service-accounts.queries.ts'

/** docs/contract.md: the service's limit. */
const rolesMax = 20

interface DefaultRolesDialogProps {
  value: string[]
  onChange: (ids: string[]) => void
  onClose: () => void
}

/** Lets the user choose the roles of new users. The form behind this window saves them. */
export const DefaultRolesDialog = ({ value, onChange, onClose }: DefaultRolesDialogProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const [chosen, setChosen] = useState(value)
  return (
    <Dialog opened onClose={onClose} title={t('connections.defaultRoles')}>
      <Stack>
        <ManyChoice
          label={t('connections.defaultRoles')}
          description={t('connections.defaultRolesHint')}
          searchable
          maxValues={rolesMax}
          data-autofocus
          {...useRoleOptions(roles.filter(canAccountHold))}
          value={chosen}
          onChange={setChosen}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            onClick={() => {
              onChange(chosen)
              onClose()
            }}
          >
            {t('connections.takeRoles')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
