import { Skeleton, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazyPart } from '../../components/lazy-part.tsx'
import type { ConnectionProps } from './connection-page.tsx'
import { StepArea, Steps } from './connection-parts.tsx'
import type { LaterStep } from './sso.search.ts'

const PeopleForm = lazyPart(
  async () => (await import('./people-form.tsx')).PeopleForm,
  <Skeleton height={480} />,
)

const Overview = lazyPart(
  async () => (await import('./connection-overview.tsx')).ConnectionOverview,
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
      <StepArea step={step}>
        {step === 2 && <PeopleForm {...props} onSaved={() => go(3)} />}
        {step === 3 && <Overview {...props} />}
      </StepArea>
    </Stack>
  )
}
