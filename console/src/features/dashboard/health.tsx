import { Badge, Card, Group, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { client } from '../../session/client.ts'

const State = ({ label, isUp }: { label: string; isUp: boolean }) => {
  const { t } = useTranslation()
  return (
    <Group justify="space-between">
      <Text size="sm">{label}</Text>
      <Badge variant="dot" color={isUp ? 'teal' : 'red'} tt="none" fw={500}>
        {isUp ? t('dashboard.up') : t('dashboard.down')}
      </Badge>
    </Group>
  )
}

export const Health = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => client.system.readiness({ signal }),
    refetchInterval: 15_000,
  })
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('dashboard.health')}
      </Title>
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={{ base: 'sm', sm: 'xl' }}>
          <State label={t('dashboard.service')} isUp={data.status === 'ready'} />
          <State label={t('dashboard.database')} isUp={data.database === 'up'} />
          <State label={t('dashboard.cache')} isUp={data.cache === 'up'} />
        </SimpleGrid>
      ) : (
        <Skeleton height={24} />
      )}
    </Card>
  )
}
