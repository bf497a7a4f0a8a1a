import { SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Application } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useMe } from '../../session/me.ts'
import { ApplicationActions } from './application-actions.tsx'
import { ApplicationFacts } from './application-facts.tsx'
import { useApplication } from './applications.queries.ts'
import { Secrets } from './secrets.tsx'
import { Snippet } from './snippet.tsx'
import { TestSignIn } from './test-sign-in.tsx'

const route = getRouteApi('/shell/applications/$applicationId')

export const ApplicationPage = () => {
  const { t } = useTranslation()
  const { data: application, error, refetch } = useApplication(Number(route.useParams().applicationId))
  return (
    <>
      <BackLink to="/applications">{t('places.applications')}</BackLink>
      {application ? (
        <Details application={application} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}

/** An application of the installation itself acts for every user, so changing it takes more permissions. */
const useCanChange = ({ is_third_party: isForeign }: Application): boolean => {
  const { can } = useMe()
  return can('application:manage') && (isForeign || can('tenant:enter'))
}

const textOf = ({ is_third_party: isForeign, is_registered: isRegistered }: Application) => {
  if (isRegistered) return 'applications.registeredText'
  return isForeign ? 'applications.thirdPartyText' : 'applications.ownText'
}

const Details = ({ application }: { application: Application }) => {
  const { t } = useTranslation()
  const canChange = useCanChange(application)
  return (
    <>
      <PageHeader
        title={application.name}
        description={t(textOf(application))}
        marks={<StatusBadge status={application.status} />}
        actions={canChange && <ApplicationActions application={application} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <ApplicationFacts application={application} />
          {application.kind === 'web' && <Secrets application={application} canChange={canChange} />}
        </Stack>
        {!application.is_registered && (
          <Stack>
            <SectionCard title={t('applications.code')} hint={t('applications.codeHint')}>
              <Snippet application={application} />
            </SectionCard>
            <TestSignIn application={application} canChange={canChange} />
          </Stack>
        )}
      </SimpleGrid>
    </>
  )
}
