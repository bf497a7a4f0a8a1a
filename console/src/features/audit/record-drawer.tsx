import { Drawer, EmptyState, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconFileUnknown } from '@tabler/icons-react'
import type { AuditLog } from '@tenantry/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/text-link.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { useFormat } from '../../format.ts'
import { useAuditTexts } from './audit-texts.ts'
import { differencesOf } from './differences.ts'
import { DifferencesTable } from './differences-table.tsx'
import { ResourceLink } from './resource-link.tsx'

interface RecordDrawerProps {
  id: number | undefined
  /** The records of the page shown; undefined until they are there. */
  records: AuditLog[] | undefined
  nameOf: (userId: number) => string
  onClose: () => void
}

/** One record with all it holds. The service gives records by pages alone, so it is one of the page shown. */
export const RecordDrawer = ({ id, records, nameOf, onClose }: RecordDrawerProps) => {
  const { t } = useTranslation()
  const record = records?.find((one) => one.id === id)
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('audit.record', { id })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {record ? (
        <Record record={record} name={nameOf(record.user_id)} />
      ) : records ? (
        <EmptyState py="xl" icon={<IconFileUnknown size={32} stroke={1.5} />} title={t('audit.absent')} />
      ) : (
        <Skeleton height={240} />
      )}
    </Drawer>
  )
}

const Record = ({ record, name }: { record: AuditLog; name: string }) => {
  const { t } = useTranslation()
  const { ofAction } = useAuditTexts()
  const differences = differencesOf(record.detail)
  const { changes, rest } = differences
  const isMore = Object.keys(rest).length > 0
  return (
    <Stack gap="lg">
      <Title order={2} size="h3">
        {ofAction(record.action)}
      </Title>
      <Facts record={record} name={name} />
      <Stack gap="xs">
        <Title order={3} size="h5">
          {t('audit.changes')}
        </Title>
        {changes.length > 0 && <DifferencesTable {...differences} />}
        {isMore && <JsonView value={rest} label={t('audit.other')} />}
        {changes.length === 0 && !isMore && (
          <Text size="sm" c="dimmed">
            {t('audit.noChange')}
          </Text>
        )}
      </Stack>
    </Stack>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <Table.Tr>
    <Table.Th w={120} fw={400} c="dimmed">
      {label}
    </Table.Th>
    <Table.Td>{children}</Table.Td>
  </Table.Tr>
)

const Facts = ({ record, name }: { record: AuditLog; name: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { created_at, user_id, action, ip, user_agent, trace_id } = record
  return (
    <Table className="facts" withRowBorders={false} verticalSpacing={4} horizontalSpacing={0}>
      <Table.Tbody>
        <Fact label={t('audit.when')}>
          {format.momentExact(created_at)} ({format.ago(created_at)})
        </Fact>
        <Fact label={t('audit.who')}>
          <TextLink to="/audit" search={{ user_id }} size="sm">
            {name}
          </TextLink>
        </Fact>
        <Fact label={t('audit.action')}>
          <TextLink to="/audit" search={{ action }} size="sm">
            {action}
          </TextLink>
        </Fact>
        <Fact label={t('audit.resource')}>
          <ResourceLink record={record} />
        </Fact>
        <Fact label={t('audit.ip')}>{ip || '–'}</Fact>
        <Fact label={t('audit.userAgent')}>{user_agent || '–'}</Fact>
        <Fact label={t('common.traceId')}>
          <CopyText text={trace_id} label={t('common.copyTraceId')} />
        </Fact>
      </Table.Tbody>
    </Table>
  )
}
