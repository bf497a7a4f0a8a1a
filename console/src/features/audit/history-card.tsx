import { Card, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../components/loaded.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import type { HistoryProps } from './history.views.tsx'
import { RecordLines } from './record-lines.views.tsx'
import { useWithNames } from './records.queries.ts'

const shown = 5

/** The filter for the records of one resource. For a user, it includes assigned and removed roles. */
const filterOf = (resource: HistoryProps['resource'], id: number | string) =>
  resource === 'user' ? { about_user_id: Number(id) } : { resource, resource_id: String(id) }

export const HistoryCard = ({ resource, id, hint }: HistoryProps) => {
  const { t } = useTranslation()
  const { api, tenantId, link } = useScope()
  const withNames = useWithNames()
  const filter = filterOf(resource, id)
  const records = useQuery({
    queryKey: ['audit', tenantId, 'history', filter],
    queryFn: async ({ signal }) => {
      const { items } = await api.audit.list({ ...filter, include: 'actor', page_size: shown }, { signal })
      return withNames(items, signal)
    },
    staleTime: 0,
  })
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" gap="sm" mb={4}>
        <Title order={2} size="h4">
          {t('auditLog.history')}
        </Title>
        <TextLink to="/audit" search={{ ...link, ...filter }} size="sm">
          {t('common.showAll')}
        </TextLink>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {records.data?.length === 0 ? t('auditLog.none') : hint}
      </Text>
      <Loaded query={records} height={120}>
        {(items) => <RecordLines records={items} />}
      </Loaded>
    </Card>
  )
}
