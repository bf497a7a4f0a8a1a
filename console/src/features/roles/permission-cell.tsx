import { IconCheck, IconMinus } from '@tabler/icons-react'
import type { Permission, Role } from '@tenantry/client'
import { memo } from 'react'
import { useTranslation } from '../../translation.ts'
import { holds, type SetCells } from './role-draft.ts'

export interface PermissionCellProps {
  role: Role
  permission: Permission
  /** Undefined if unchanged. */
  drafted: boolean | undefined
  canChange: boolean
  /** True if the caller holds the permission. No one grants a permission they lack. */
  isOwn: boolean
  onChange: SetCells
}

/**
 * A native checkbox, because a matrix of 50 roles has over a thousand. Tab skips it: the arrow keys move between
 * cells (cell-keys.ts).
 */
export const PermissionCell = memo((props: PermissionCellProps) => {
  const { t } = useTranslation()
  const { role, permission, drafted, canChange, isOwn, onChange } = props
  const isHeld = holds(role, permission)
  if (!canChange) return <FixedCell isHeld={isHeld} />
  const label = t('roles.cell', { permission: permission.name, role: role.name })
  return (
    <label className="permission-cell" data-drafted={drafted} title={isOwn ? undefined : t('roles.notOwn')}>
      <input
        type="checkbox"
        checked={drafted ?? isHeld}
        disabled={!isOwn}
        tabIndex={-1}
        aria-label={isOwn ? label : `${label}: ${t('roles.notOwn')}`}
        onChange={({ currentTarget }) => onChange(role, [permission], currentTarget.checked)}
      />
    </label>
  )
})

const FixedCell = ({ isHeld }: { isHeld: boolean }) => {
  const { t } = useTranslation()
  return isHeld ? (
    <IconCheck size={16} role="img" aria-label={t('roles.permits')} />
  ) : (
    <IconMinus size={12} role="img" aria-label={t('roles.permitsNot')} className="faint" />
  )
}
