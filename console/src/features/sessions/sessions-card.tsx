import { Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { UserSession } from '@tenantry/client'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import type { Sessions } from './sessions.queries.ts'

interface SessionsCardProps {
  title: string
  text?: string
  query: Sessions['query']
  children: (sessions: UserSession[]) => ReactNode
}

export const SessionsCard = ({ title, text, query, children }: SessionsCardProps) => (
  <Card withBorder padding="lg" component="section">
    <Title order={2} size="h4" mb={text === undefined ? 'md' : 0}>
      {title}
    </Title>
    {text !== undefined && (
      <Text size="sm" c="dimmed" mb="md">
        {text}
      </Text>
    )}
    <Stack>
      {query.data ? (
        children(query.data)
      ) : query.error ? (
        <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height={116} />
      )}
    </Stack>
  </Card>
)
