import { Code, Group, Popover, Stack, Text, UnstyledButton } from '@mantine/core'
import type { AuditLog } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/copy-text.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { useFormat } from '../../format.ts'
import { useUserNames } from '../users/user-names.ts'

/** The latest records; what exactly was changed opens beside each. */
export const RecentEvents = ({ records }: { records: AuditLog[] }) => {
  const nameOf = useUserNames(records.map(({ user_id }) => user_id))
  return (
    <Stack gap={0}>
      {records.map((record) => (
        <RecentEvent key={record.id} record={record} name={nameOf(record.user_id)} />
      ))}
    </Stack>
  )
}

const RecentEvent = ({ record, name }: { record: AuditLog; name: string }) => {
  const format = useFormat()
  return (
    <Popover position="bottom-start" width={360} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <UnstyledButton className="event" title={format.moment(record.created_at)}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Group gap="xs" wrap="nowrap" miw={0}>
              <Code>{record.action}</Code>
              <Text size="sm" className="cut">
                {name}
              </Text>
            </Group>
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {format.ago(record.created_at)}
            </Text>
          </Group>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <EventDetail record={record} />
      </Popover.Dropdown>
    </Popover>
  )
}

const EventDetail = ({ record: { resource, resource_id, detail, trace_id } }: { record: AuditLog }) => {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {resource} {resource_id}
      </Text>
      <JsonView value={detail} label={t('dashboard.detail')} />
      <CopyText text={trace_id} label={t('common.copyTraceId')} />
    </Stack>
  )
}
