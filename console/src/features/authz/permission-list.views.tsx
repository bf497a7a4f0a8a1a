import { Text } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import { usePermissions } from '../roles/roles.queries.ts'

const useNames = () => {
  const { comma } = useTranslation()
  const { data = [] } = usePermissions()
  const names = new Map(data.map(({ code, name }) => [code, name]))
  return (codes: string[]): string => codes.map((code) => `“${names.get(code) ?? code}”`).join(comma)
}

/** The most permissions of a change that are named at once. A longer list opens on a click. */
const namedMax = 5

interface PermissionListProps {
  codes: string[]
  /** The sentence around the names, or around the number of a long list. */
  say: (names: string) => string
  color?: 'var(--text-good)' | 'var(--text-bad)'
}

export const PermissionList = ({ codes, say, color }: PermissionListProps) => {
  const { t } = useTranslation()
  const names = useNames()(codes)
  if (codes.length <= namedMax) {
    return (
      <Text size="sm" {...(color && { c: color })}>
        {say(names)}
      </Text>
    )
  }
  return (
    <Text size="sm" component="details" className="permission-list">
      <Text component="summary" inherit {...(color && { c: color })}>
        {say(t('roles.permissions', { count: codes.length }))} <u>{t('authz.show')}</u>
      </Text>
      <span>{names}</span>
    </Text>
  )
}
