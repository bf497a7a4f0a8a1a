import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AuditLog } from '@tenantry/client'
import { useFormat } from '../../format.ts'
import { useAuditTexts } from '../audit/audit.texts.ts'
import { useCallerNames } from '../users/users.queries.ts'

export const RecentEvents = ({ records }: { records: AuditLog[] }) => {
  const nameOf = useCallerNames(records.map(({ user_id }) => user_id))
  return (
    <Stack gap={0}>
      {records.map((record) => (
        <RecentEvent key={record.id} record={record} name={nameOf(record.user_id)} />
      ))}
    </Stack>
  )
}

const RecentEvent = ({ record: { id, action, created_at }, name }: { record: AuditLog; name: string }) => {
  const format = useFormat()
  const { ofAction } = useAuditTexts()
  return (
    <UnstyledButton
      className="event"
      title={format.moment(created_at)}
      renderRoot={(props: object) => <Link to="/audit" search={{ id }} {...props} />}
    >
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
            {ofAction(action)}
          </Text>
          <Text size="sm" c="dimmed" className="cut">
            {name}
          </Text>
        </Group>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {format.ago(created_at)}
        </Text>
      </Group>
    </UnstyledButton>
  )
}
