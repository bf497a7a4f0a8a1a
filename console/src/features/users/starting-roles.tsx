import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { RolesToGive } from '../roles/roles-to-give.views.tsx'

/** The service gives this role to every new user. */
const startingRole = 'member'

interface StartingRolesProps {
  value: string[]
  onChange: (ids: string[]) => void
}

/** The roles of a person in addition to that of every new user. */
export const StartingRoles = (props: StartingRolesProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  return (
    <RolesToGive
      roles={roles.filter(({ name, is_system }) => !(is_system && name === startingRole))}
      description={t('users.rolesToGiveHint')}
      {...props}
    />
  )
}
