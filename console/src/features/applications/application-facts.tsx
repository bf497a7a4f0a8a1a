import { SimpleGrid, Text } from '@mantine/core'
import type { Application } from '@tenantry/client'
import type { ReactNode } from 'react'
import { MomentAndAgo } from '../../components/ago.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import { useAllResources } from './applications.queries.ts'
import { daysOf } from './session-days.ts'

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <Text component="dt" size="sm" c="dimmed">
      {label}
    </Text>
    <Text component="dd" size="sm" m={0} className="breakable">
      {children}
    </Text>
  </div>
)

const Lines = ({ of }: { of: string[] }) =>
  of.map((line) => (
    <Text key={line} span display="block" inherit>
      {line}
    </Text>
  ))

const useYesNo = () => {
  const { t } = useTranslation()
  return (isSo: boolean): string => t(isSo ? 'applications.yes' : 'applications.no')
}

const useResourceNames = ({ resource_ids: ids }: Application): string[] => {
  const { data } = useAllResources()
  return data?.items.filter(({ id }) => ids.includes(id)).map(({ name }) => name) ?? []
}

export const ApplicationFacts = ({ application }: { application: Application }) => {
  const { t } = useTranslation()
  const yesNo = useYesNo()
  const { client_id: clientId, kind, redirect_uris: redirects, allowed_origins: origins } = application
  const resources = useResourceNames(application)
  return (
    <SectionCard title={t('applications.facts')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0}>
        <Fact label={t('applications.clientId')}>
          <CopyText text={clientId} label={t('applications.copyClientId')} />
        </Fact>
        <Fact label={t('applications.kind')}>{t(`applicationKinds.${kind}`)}</Fact>
        <Fact label={t('applications.redirectUris')}>
          <Lines of={redirects} />
        </Fact>
        {origins.length > 0 && (
          <Fact label={t('applications.origins')}>
            <Lines of={origins} />
          </Fact>
        )}
        {resources.length > 0 && (
          <Fact label={t('places.resources')}>
            <Lines of={resources} />
          </Fact>
        )}
        <Fact label={t('applications.requireMfa')}>{yesNo(application.require_mfa)}</Fact>
        <Fact label={t('applications.sessionDays')}>{daysOf(application.session_seconds)}</Fact>
        <Fact label={t('applications.createdAt')}>
          <MomentAndAgo at={application.created_at} />
        </Fact>
      </SimpleGrid>
    </SectionCard>
  )
}
