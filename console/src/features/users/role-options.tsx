import { Stack, Text, type ComboboxLikeRenderOptionInput, type ComboboxItem } from '@mantine/core'
import type { Role } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../session/me.ts'
import { useLacking } from './user-queries.ts'

/**
 * Roles to choose from, for `Select` and `MultiSelect`. Those that permit what the caller may not do themselves are
 * shown, with the reason, but cannot be chosen: the service would refuse.
 */
export const useRoleOptions = (roles: Role[]) => {
  const { t } = useTranslation()
  const { isPlatformAdmin } = useMe()
  const lacking = useLacking()
  const reasonOf = (role: Role): string | undefined => {
    const codes = lacking([role])
    if (codes.length > 0) return t('users.roleLacking', { codes: codes.join(', ') })
    return role.is_system && role.name === 'platform-admin' && !isPlatformAdmin
      ? t('users.rolePlatform')
      : undefined
  }
  const options = roles.map((role) => {
    const reason = reasonOf(role)
    return { value: String(role.id), label: role.name, disabled: reason !== undefined, reason, role }
  })
  const byValue = new Map(options.map((option) => [option.value, option]))
  const renderOption = ({ option }: ComboboxLikeRenderOptionInput<ComboboxItem>) => (
    <Stack gap={0} miw={0}>
      <Text size="sm" className="breakable">
        {option.label}
      </Text>
      <Text size="xs" c="dimmed">
        {byValue.get(option.value)?.reason ?? byValue.get(option.value)?.role.description}
      </Text>
    </Stack>
  )
  return { data: options.map(({ value, label, disabled }) => ({ value, label, disabled })), renderOption }
}
