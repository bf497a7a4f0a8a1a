import type { Role } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ManyChoice } from '../../components/many-choice.tsx'
import { useRoleOptions } from './role-options.views.tsx'

interface RolesToGiveProps {
  roles: Role[]
  description?: string
  value: string[]
  onChange: (ids: string[]) => void
}

/** The roles of a new user or service account. */
export const RolesToGive = ({ roles, ...props }: RolesToGiveProps) => {
  const { t } = useTranslation()
  return <ManyChoice label={t('users.rolesToGive')} searchable {...useRoleOptions(roles)} {...props} />
}
