import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import type { UserSession } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useAgo } from '../../components/ago.tsx'
import { useFormat } from '../../format.ts'
import { useDevice } from './sessions.texts.ts'

interface SessionListProps {
  label: string
  sessions: UserSession[]
  /** Without it the list has no buttons. */
  onEnd?: (id: string) => void
  /** The id of the session that is being ended. */
  ending?: string | undefined
}

export const SessionList = ({ label, sessions, onEnd, ending }: SessionListProps) => (
  <Stack gap="md" component="ul" aria-label={label} m={0} p={0} style={{ listStyle: 'none' }}>
    {sessions.map((session) => (
      <Group key={session.id} component="li" justify="space-between" align="flex-start" gap="sm">
        <SessionDetails session={session} />
        {onEnd && !session.is_current && (
          <EndButton
            session={session}
            isEnding={ending === session.id}
            onEnd={() => {
              onEnd(session.id)
            }}
          />
        )}
      </Group>
    ))}
  </Stack>
)

const SessionDetails = ({ session }: { session: UserSession }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useDevice()
  const { user_agent: userAgent, ip, created_at: since, last_used_at: used, is_current: isCurrent } = session
  const purpose = usePurpose()(session)
  return (
    <Stack gap={2} miw={0}>
      <Group gap="xs">
        <Text size="sm" fw={500} title={userAgent}>
          {nameOf(userAgent) ?? t('sessions.unknownDevice')}
        </Text>
        {isCurrent && (
          <Badge variant="default" tt="none" fw={500}>
            {t('sessions.current')}
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

/** The application of a session, or a note that the browser stays signed in to applications. */
const usePurpose = () => {
  const { t } = useTranslation()
  return ({ application, tenant_id: tenantId }: UserSession): string | undefined => {
    if (application) return t('sessions.ofApplication', { name: application.name })
    return tenantId === '' ? t('sessions.ofBrowser') : undefined
  }
}

const EndButton = ({
  session,
  isEnding,
  onEnd,
}: {
  session: UserSession
  isEnding: boolean
  onEnd: () => void
}) => {
  const { t } = useTranslation()
  const device = useDevice()(session.user_agent) ?? t('sessions.unknownDevice')
  return (
    <Button
      size="xs"
      variant="default"
      loading={isEnding}
      aria-label={t('sessions.endOf', { device })}
      onClick={onEnd}
    >
      {t('sessions.end')}
    </Button>
  )
}
