import { Text, Card, Skeleton, Stack, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { User, UserSession } from '@tenantry/client'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { EndSessions } from './end-sessions.tsx'
import { SessionList } from './session-list.tsx'
import { useOwnSessions, useSessionsOfUser, type Sessions } from './sessions.queries.ts'

/** The sessions of the signed-in person in all tenants. */
export const OwnSessions = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { query, renew } = useOwnSessions()
  const ending = useMutation({
    mutationFn: (id: string) => client.auth.endSession(id),
    onSuccess: () => {
      notify(t('sessions.ended'))
    },
    // After a failure as well: a session that ended meanwhile must leave the list.
    onSettled: renew,
  })
  const texts = {
    button: t('sessions.endOthers'),
    title: t('sessions.endOthersTitle'),
    text: t('sessions.endOthersText'),
    done: t('sessions.othersEnded'),
  }
  return (
    <SessionsCard title={t('sessions.own')} text={t('sessions.ownText')} query={query}>
      {(sessions) => (
        <>
          {ending.error && <ErrorPanel error={ending.error} />}
          <SessionList
            label={t('sessions.own')}
            sessions={sessions}
            onEnd={ending.mutate}
            ending={ending.isPending ? ending.variables : undefined}
          />
          {sessions.length > 1 && (
            <EndSessions texts={texts} end={() => client.auth.endOtherSessions()} onEnded={renew} />
          )}
        </>
      )}
    </SessionsCard>
  )
}

/** The sessions of a user in the tenant in scope. */
export const UserSessions = ({ user, canChange }: { user: User; canChange: boolean }) => {
  const { t } = useTranslation()
  const me = useMe()
  const { api } = useScope()
  const { query, renew } = useSessionsOfUser(user.id)
  const canEnd = canChange && user.id !== me.user.id && me.can('user:update')
  const name = nameOf(user)
  const texts = {
    button: t('sessions.endAll'),
    title: t('sessions.endAllTitle', { name }),
    text: t('sessions.endAllText'),
    done: t('sessions.userEnded', { name }),
  }
  return (
    <SessionsCard title={t('sessions.ofUser')} query={query}>
      {(sessions) =>
        sessions.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('sessions.none')}
          </Text>
        ) : (
          <>
            <SessionList label={t('sessions.ofUser')} sessions={sessions} />
            {canEnd && (
              <EndSessions texts={texts} end={() => api.users.endSessions(user.id)} onEnded={renew} />
            )}
          </>
        )
      }
    </SessionsCard>
  )
}

interface SessionsCardProps {
  title: string
  text?: string
  query: Sessions['query']
  children: (sessions: UserSession[]) => ReactNode
}

const SessionsCard = ({ title, text, query, children }: SessionsCardProps) => (
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
