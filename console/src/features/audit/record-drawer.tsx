import { Drawer, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import type { AuditLog } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/copy-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useUserNames } from '../users/user-names.ts'
import { useAuditTexts } from './audit-texts.ts'
import { differencesOf } from './differences.ts'
import { DifferencesTable } from './differences-table.tsx'
import { ResourceLink } from './resource-link.tsx'

interface RecordDrawerProps {
  id: number | undefined
  onClose: () => void
}

/** A record never changes: once here, it is not asked for again. */
const useRecord = (id: number | undefined) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['audit', tenantId, 'one', id],
    queryFn: id === undefined ? skipToken : ({ signal }) => api.audit.get(id, { signal }),
    staleTime: Infinity,
  })
}

/** Of the window that closes: what it showed stays until it is gone. */
const useLast = (id: number | undefined): number | undefined => {
  const [last, setLast] = useState(id)
  if (id !== undefined && id !== last) setLast(id)
  return id ?? last
}

/** One record with all it holds, on whatever page it is by now. */
export const RecordDrawer = ({ id, onClose }: RecordDrawerProps) => {
  const { t } = useTranslation()
  const shownId = useLast(id)
  const { data, error, refetch } = useRecord(shownId)
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('audit.record', { id: shownId })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {data ? (
        <Record record={data} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="lg">
          <Skeleton height={30} width="50%" />
          <Skeleton height={200} />
          <Skeleton height={120} />
        </Stack>
      )}
    </Drawer>
  )
}

const Record = ({ record }: { record: AuditLog }) => {
  const { t } = useTranslation()
  const { ofAction } = useAuditTexts()
  const differences = differencesOf(record)
  const { changes, rest } = differences
  const isMore = Object.keys(rest).length > 0
  return (
    <Stack gap="lg">
      <Title order={2} size="h3">
        {ofAction(record.action)}
      </Title>
      <Facts record={record} />
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

const Facts = ({ record }: { record: AuditLog }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { created_at, user_id, action, ip, user_agent, trace_id } = record
  const nameOf = useUserNames([user_id])
  return (
    <Table className="facts" withRowBorders={false} verticalSpacing={4} horizontalSpacing={0}>
      <Table.Tbody>
        <Fact label={t('audit.when')}>
          {format.momentExact(created_at)} ({format.ago(created_at)})
        </Fact>
        <Fact label={t('audit.who')}>
          <TextLink to="/audit" search={{ user_id }} size="sm">
            {nameOf(user_id)}
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
