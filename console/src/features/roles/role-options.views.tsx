import { Stack, Text, type ComboboxItem, type ComboboxLikeRenderOptionInput } from '@mantine/core'
import type { Role } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useLacking } from './roles.queries.ts'

/** Options for `Select`. Disables roles with permissions that the caller lacks, which the service would refuse. */
export const useRoleOptions = (roles: Role[]) => {
  const { t } = useTranslation()
  const lacking = useLacking()
  const reasonOf = (role: Role): string | undefined => {
    const codes = lacking([role])
    return codes.length > 0 ? t('users.roleLacking', { codes: codes.join(', ') }) : undefined
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
