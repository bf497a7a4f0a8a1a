import { Group, Stack, Text } from '@mantine/core'
import type { Permission } from '@tenantry/client'

interface ChangedPermissionsProps {
  label: string
  sign: string
  color: string
  permissions: Permission[]
}

export const ChangedPermissions = ({ label, sign, color, permissions }: ChangedPermissionsProps) => {
  if (permissions.length === 0) return null
  return (
    <Stack gap={2} role="list" aria-label={label}>
      {permissions.map(({ id, name, code }) => (
        <Group key={id} gap="xs" role="listitem" wrap="nowrap">
          <Text size="sm" c={color} fw={600} ff="monospace">
            {sign}
          </Text>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {code}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
