import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import { Addresses } from './addresses.tsx'
import { ConnectionOverview } from './connection-overview.tsx'
import type { ConnectionProps } from './connection-page.tsx'
import { GuideButton } from './guide-button.tsx'
import { providerOf } from './provider-of.ts'
import type { LaterStep } from './sso.search.ts'
import { Steps } from './steps.tsx'

const PeopleForm = lazyPart(
  async () => (await import('./people-form.tsx')).PeopleForm,
  <Skeleton height={480} />,
)

const route = getRouteApi('/shell/connections/$connectionId')

export const SetUp = (props: ConnectionProps) => {
  const { step = 2 } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: LaterStep): void => void navigate({ search: { step: next } })
  return (
    <Stack maw={900} gap={0}>
      <Steps current={step} onChoose={go} />
      {step === 2 && <Register {...props} onNext={() => go(3)} />}
      {step === 3 && <PeopleForm {...props} onSaved={() => go(4)} />}
      {step === 4 && <ConnectionOverview {...props} />}
    </Stack>
  )
}

const Register = ({ connection, onNext }: ConnectionProps & { onNext: () => void }) => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('connections.step2')} hint={t('connections.registerHint')}>
      <Stack>
        <Addresses connection={connection} />
        <Text size="sm">
          {t(connection.type === 'oidc' ? 'connections.registerOidc' : 'connections.registerSaml')}
        </Text>
        <GuideButton provider={providerOf(connection)} part={connection.type} connection={connection} />
        <Group>
          <Button onClick={onNext}>{t('connections.next')}</Button>
        </Group>
      </Stack>
    </SectionCard>
  )
}
