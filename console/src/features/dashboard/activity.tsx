import { Box, EmptyState, Grid, Group, Skeleton, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { AuditLog } from '@tenantry/client'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Table } from '../../components/table.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useAuditTexts } from '../audit/audit.texts.ts'
import { RecordLines } from '../audit/record-lines.views.tsx'
import { useWithNames } from '../audit/records.queries.ts'
import { Panel } from './dashboard.views.tsx'

/** The largest page, so that one request suffices. */
const recordsMax = 200
const eventsShown = 8

const useRecords = () => {
  const { api, tenantId } = useScope()
  const withNames = useWithNames()
  return useQuery({
    queryKey: ['audit', tenantId, 'latest'],
    queryFn: async ({ signal }) => {
      const { items } = await api.audit.list({ include: 'actor', page_size: recordsMax }, { signal })
      return [...(await withNames(items.slice(0, eventsShown), signal)), ...items.slice(eventsShown)]
    },
    staleTime: 0,
    refetchInterval: 60_000,
  })
}

const chartHeight = 300

/** The number of shown records and the time of the oldest. */
const useHint = (records: AuditLog[] = []): string => {
  const { t } = useTranslation()
  const format = useFormat()
  const oldest = records.at(-1)
  return oldest
    ? t('dashboard.since', { count: records.length, since: format.moment(oldest.created_at) })
    : ''
}

const ByResource = ({ records }: { records: AuditLog[] | undefined }) => {
  const { t } = useTranslation()
  const hint = useHint(records)
  return (
    <Panel title={t('dashboard.byResource')} hint={hint}>
      <RecordsOrEmpty records={records}>
        <ResourceBars records={records ?? []} />
      </RecordsOrEmpty>
    </Panel>
  )
}

export const Activity = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useRecords()
  if (error && !data) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <ByResource records={data} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Panel title={t('dashboard.recent')} hint={t('dashboard.recentHint')}>
          <RecordsOrEmpty records={data}>
            <RecordLines records={data?.slice(0, eventsShown) ?? []} />
          </RecordsOrEmpty>
        </Panel>
      </Grid.Col>
    </Grid>
  )
}

const RecordsOrEmpty = ({ records, children }: { records: AuditLog[] | undefined; children: ReactNode }) => {
  const { t } = useTranslation()
  if (!records) return <Skeleton height={chartHeight} />
  if (records.length > 0) return children
  return <EmptyState py="xl" icon={<IconHistory size={28} stroke={1.5} />} title={t('dashboard.quiet')} />
}

const countByResource = (records: AuditLog[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const { resource } of records) counts.set(resource, (counts.get(resource) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

const ResourceBars = ({ records }: { records: AuditLog[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { ofResource } = useAuditTexts()
  const counts = countByResource(records)
  const [, most] = counts[0] ?? ['', 1]
  return (
    <Table isPlain className="fixed bars" aria-label={t('dashboard.byResource')}>
      <Table.Tbody>
        {counts.map(([resource, count]) => (
          <Table.Tr key={resource} pos="relative">
            <Table.Th scope="row" w={152} fw={400}>
              <TextLink to="/audit" search={{ resource }} size="sm" className="row-link" c="dimmed">
                {ofResource(resource)}
              </TextLink>
            </Table.Th>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <Box className="bar" w={`calc((100% - 3.5rem) * ${count / most})`} />
                <Text size="sm" className="numbers">
                  {format.count(count)}
                </Text>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
