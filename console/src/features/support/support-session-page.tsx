import { Code, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { SupportSession } from '@tenantry/client'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { Table } from '../../components/table.tsx'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { SessionActions, SessionFacts } from './session-parts.tsx'
import { SupportBadge, useActorName } from './support-parts.tsx'
import { useSupportSession } from './support-lists.ts'

const route = getRouteApi('/shell/support/$supportId')

/** A support session with the requests that it made. */
export const SupportSessionPage = () => {
  const session = useSupportSession(route.useParams().supportId)
  return (
    <ResourcePage of="/support" query={session} height={320}>
      {(data) => <Details session={data} />}
    </ResourcePage>
  )
}

const Details = ({ session }: { session: SupportSession }) => {
  const { t } = useTranslation()
  const names = { actor: useActorName()(session), user: session.user.name }
  return (
    <>
      <PageHeader title={t('support.title', names)} marks={<SupportBadge status={session.status} />} />
      <Stack gap="lg">
        <SectionCard title={t('support.overview')}>
          <SessionFacts session={session} />
          <SessionActions session={session} />
        </SectionCard>
        {session.ends_at !== '' && <Requests requests={session.requests ?? []} />}
      </Stack>
    </>
  )
}

type RequestCount = NonNullable<SupportSession['requests']>[number]

/** The most endpoints of an answer. */
const requestsMax = 200

const Requests = ({ requests }: { requests: RequestCount[] }) => {
  const { t } = useTranslation()
  const hint = requests.length < requestsMax ? undefined : t('support.mostFrequent', { count: requestsMax })
  return (
    <SectionCard title={t('support.requests')} hint={hint}>
      {requests.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('support.noRequests')}
        </Text>
      ) : (
        <RequestTable requests={requests} />
      )}
    </SectionCard>
  )
}

const RequestTable = ({ requests }: { requests: RequestCount[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Table aria-label={t('support.requests')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="1%">{t('support.method')}</Table.Th>
          <Table.Th>{t('support.path')}</Table.Th>
          <Table.Th ta="right">{t('support.count')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map(({ method, path, count }) => (
          <Table.Tr key={`${method} ${path}`}>
            <Table.Td>{method}</Table.Td>
            <Table.Td>
              <Code className="whole">{path}</Code>
            </Table.Td>
            <Table.Td ta="right" className="numbers">
              {format.count(count)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
