import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { User, UserSession } from '@tenantry/client'
import type { ReactNode } from 'react'
import { useAgo } from '../../components/ago.tsx'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { nameOf, useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useSessionsOfUser } from './sessions.queries.ts'
import { useDevice } from '../../components/device.ts'

/** The sessions of a user in the tenant in scope. */
export const UserSessions = ({ user, canChange }: { user: User; canChange: boolean }) => {
  const { t } = useTranslation()
  const me = useMe()
  const { api } = useScope()
  const query = useSessionsOfUser(user.id)
  const canEnd = canChange && user.id !== me.user.id && me.can('user:update')
  const name = nameOf(user)
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
              <Group>
                <ConfirmButton
                  title={t('sessions.endAllTitle', { name })}
                  confirm={t('sessions.endAll')}
                  send={() => api.users.endSessions(user.id)}
                  done={t('sessions.userEnded', { name })}
                >
                  {t('sessions.endAllText')}
                </ConfirmButton>
              </Group>
            )}
          </>
        )
      }
    </SessionsCard>
  )
}

interface SessionsCardProps {
  title: string
  query: UseQueryResult<UserSession[]>
  children: (sessions: UserSession[]) => ReactNode
}

const SessionsCard = ({ title, query, children }: SessionsCardProps) => (
  <Card withBorder padding="lg" component="section">
    <Title order={2} size="h4" mb="md">
      {title}
    </Title>
    <Stack>
      <Loaded query={query} height={116}>
        {children}
      </Loaded>
    </Stack>
  </Card>
)

const SessionList = ({ label, sessions }: { label: string; sessions: UserSession[] }) => (
  <Stack gap="md" component="ul" aria-label={label} m={0} p={0} style={{ listStyle: 'none' }}>
    {sessions.map((session) => (
      <li key={session.id}>
        <SessionDetails session={session} />
      </li>
    ))}
  </Stack>
)

const SessionDetails = ({ session }: { session: UserSession }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const deviceOf = useDevice()
  const { user_agent: userAgent, ip, created_at: since, last_used_at: used, is_current: isCurrent } = session
  const purpose = usePurpose()(session)
  return (
    <Stack gap={2} miw={0}>
      <Group gap="xs">
        <Text size="sm" fw={500} title={userAgent}>
          {deviceOf(userAgent) ?? t('sessions.unknownDevice')}
        </Text>
        {isCurrent && (
          <Badge variant="default" tt="none" fw={500}>
            {t('sessions.current')}
          </Badge>
        )}
        {session.support && (
          <Badge variant="default" tt="none" fw={500}>
            {t('sessions.support')}
          </Badge>
        )}
      </Group>
      {purpose !== undefined && (
        <Text size="sm" className="breakable">
          {purpose}
        </Text>
      )}
      <Text size="sm" c="dimmed" className="breakable">
        {[ip, t('sessions.used', { ago: useAgo(used) })].filter(Boolean).join(' · ')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('sessions.since', { moment: format.moment(since) })}
      </Text>
    </Stack>
  )
}

/**
 * The application of a session, or the person of a support session. For a browser, a note that it stays signed in to
 * applications.
 */
const usePurpose = () => {
  const { t } = useTranslation()
  return ({ application, support, tenant_id: tenantId }: UserSession): string | undefined => {
    if (support) return t('sessions.bySupport', { name: support.actor.name })
    if (application) return t('sessions.ofApplication', { name: application.name })
    return tenantId === '' ? t('sessions.ofBrowser') : undefined
  }
}
