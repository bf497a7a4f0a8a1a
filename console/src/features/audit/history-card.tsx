import { Card, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../components/loaded.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { RecordLines } from './record-lines.views.tsx'

const shown = 5

export interface HistoryProps {
  resource: 'role' | 'role_template' | 'tenant' | 'user' | 'webhook'
  id: number | string
  /** States which records this card does not show. */
  hint: string
}

/** The filter for the records of one resource. For a user, it includes assigned and removed roles. */
const filterOf = (resource: HistoryProps['resource'], id: number | string) =>
  resource === 'user' ? { about_user_id: Number(id) } : { resource, resource_id: String(id) }

export const HistoryCard = ({ resource, id, hint }: HistoryProps) => {
  const { t } = useTranslation()
  const { api, tenantId, link } = useScope()
  const filter = filterOf(resource, id)
  const records = useQuery({
    queryKey: ['audit', tenantId, 'history', filter],
    queryFn: ({ signal }) => api.audit.list({ ...filter, include: 'actor', page_size: shown }, { signal }),
    staleTime: 0,
  })
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" gap="sm" mb={4}>
        <Title order={2} size="h4">
          {t('audit.history')}
        </Title>
        <TextLink to="/audit" search={{ ...link, ...filter }} size="sm">
          {t('audit.showAll')}
        </TextLink>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {records.data?.items.length === 0 ? t('audit.none') : hint}
      </Text>
      <Loaded query={records} height={120}>
        {({ items }) => <RecordLines records={items} />}
      </Loaded>
    </Card>
  )
}
