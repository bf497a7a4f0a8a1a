import { IconCheck, IconMinus } from '@tabler/icons-react'
import type { Permission, Role } from '@tenantry/client'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { holds } from './role-draft.ts'

export interface PermissionCellProps {
  role: Role
  permission: Permission
  /** The drafted value; undefined if unchanged. */
  drafted: boolean | undefined
  canChange: boolean
  /** Whether the caller holds the permission; no one grants a permission they lack. */
  isOwn: boolean
  /** -1 in a matrix, where the arrow keys move between cells (cell-keys.ts). */
  tabIndex: 0 | -1
  onToggle: (role: Role, permission: Permission) => void
}

/** A native checkbox, because a matrix of 50 roles has more than a thousand. */
export const PermissionCell = memo((props: PermissionCellProps) => {
  const { t } = useTranslation()
  const { role, permission, drafted, canChange, isOwn, tabIndex, onToggle } = props
  const isHeld = holds(role, permission)
  if (!canChange) return <FixedCell isHeld={isHeld} />
  const label = t('roles.cell', { permission: permission.name, role: role.name })
  return (
    <label className="permission-cell" data-drafted={drafted} title={isOwn ? undefined : t('roles.notOwn')}>
      <input
        type="checkbox"
        checked={drafted ?? isHeld}
        disabled={!isOwn}
        tabIndex={tabIndex}
        aria-label={isOwn ? label : `${label}: ${t('roles.notOwn')}`}
        onChange={() => onToggle(role, permission)}
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
