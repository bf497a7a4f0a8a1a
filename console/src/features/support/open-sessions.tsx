import { Card, Group, Stack, Title } from '@mantine/core'
import type { SupportSession } from '@tenantry/client'
import { Loaded } from '../../components/loaded.tsx'
import { useTranslation } from '../../translation.ts'
import { SessionActions, SessionFacts, useSides, type Side } from './session-parts.tsx'
import { SupportBadge, useActorName } from './support-parts.tsx'
import { useOpenSessions } from './support-lists.ts'

/** The support sessions that wait or run, each with what the caller can do about it. */
export const OpenSessions = () => (
  <Loaded query={useOpenSessions()} height={180}>
    {(open) =>
      open.length > 0 && (
        <Stack mb="xl">
          {open.map((session) => (
            <SessionCard key={session.id} session={session} />
          ))}
        </Stack>
      )
    }
  </Loaded>
)

const titles = {
  wants: { user: 'support.wantsAsMe', other: 'support.wantsAsOther', actor: 'support.wantsMine' },
  works: { user: 'support.worksAsMe', other: 'support.worksAsOther', actor: 'support.worksMine' },
} as const satisfies Record<string, Record<Side, string>>

const SessionCard = ({ session }: { session: SupportSession }) => {
  const { t } = useTranslation()
  const side = useSides()(session)
  const names = { actor: useActorName()(session), user: session.user.name }
  const title = t(titles[session.status === 'active' ? 'works' : 'wants'][side], names)
  return (
    <Card withBorder padding="lg" component="section" aria-label={title}>
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={2} size="h4" className="breakable">
          {title}
        </Title>
        <SupportBadge status={session.status} />
      </Group>
      <SessionFacts session={session} />
      <SessionActions session={session} />
    </Card>
  )
}
