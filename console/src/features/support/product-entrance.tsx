import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { ownClient } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { leaveTo } from '../../session/sign-in.ts'
import { useTranslation } from '../../translation.ts'
import { useApplications } from '../applications/applications.queries.ts'
import type { Entrance } from './entrance.ts'

/** The name of the application, for those who may read it; else its public id. */
const useApplicationName = (clientId: string): string => {
  const { data } = useApplications({ size: 200, kind: 'web' }, useMe().can('application:read'))
  return data?.items.find(({ client_id: id }) => id === clientId)?.name ?? clientId
}

/** Leads to a product as the user, after a click. A link alone opens nothing. */
export const ProductEntrance = ({ entrance }: { entrance: Entrance }) => {
  const { supportId, clientId, codeChallenge, state } = entrance
  const { t } = useTranslation()
  const navigate = useNavigate()
  const application = useApplicationName(clientId)
  const own = ownClient()
  const session = useQuery({
    queryKey: ['support', 'entrance', supportId],
    queryFn: ({ signal }) => own.support.session(supportId, {}, { signal }),
  })
  const opening = useMutation({
    mutationFn: async () => {
      const asked = { application_id: clientId, code_challenge: codeChallenge }
      const address = new URL((await own.support.openProduct(supportId, asked)).redirect_to)
      if (state !== '') address.searchParams.set('state', state)
      await leaveTo(address.href)
    },
  })
  return (
    <SectionCard title={t('supportEntrance.title')} hint={t('supportEntrance.hint')}>
      <Loaded query={session} height={60}>
        {({ user }) => <Text mb="md">{t('supportEntrance.text', { application, user: user.name })}</Text>}
      </Loaded>
      {opening.error && <ErrorPanel error={opening.error} />}
      <Group mt="md">
        <Button
          disabled={session.data?.status !== 'active'}
          loading={opening.isPending}
          onClick={() => opening.mutate()}
        >
          {t('supportEntrance.open')}
        </Button>
        <Button
          variant="default"
          onClick={() => void navigate({ to: '/support', search: { mine: true }, replace: true })}
        >
          {t('common.cancel')}
        </Button>
      </Group>
    </SectionCard>
  )
}
