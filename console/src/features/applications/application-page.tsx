import { SimpleGrid, Stack, Text, Button, Group } from '@mantine/core'
import { IconBan, IconCircleCheck } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Application } from '@tenantry/client'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '../../translation.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useMe } from '../../session/me.ts'
import { useApplication, useAllResources, useIssuer, daysOf } from './applications.queries.ts'
import { Secrets } from './secrets.tsx'
import { Snippet } from './snippet.tsx'
import { confirmed, deletion, MoreMenu } from '../../components/more-menu.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { client } from '../../session/client.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import { MomentAndAgo } from '../../components/ago.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { useRenew } from '../../components/use-renew.ts'

const EditDialog = lazyPart(async () => (await import('./edit-application.tsx')).EditApplicationDialog)

const route = getRouteApi('/shell/applications/$applicationId')

export const ApplicationPage = () => {
  const application = useApplication(Number(route.useParams().applicationId))
  return (
    <ResourcePage of="/applications" query={application} height={320}>
      {(data) => <Details application={data} />}
    </ResourcePage>
  )
}

/** An application of the installation itself acts for every user, so a change of it needs more permissions. */
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
        lead={application.logo !== '' && <img className="logo" src={application.logo} alt="" />}
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

interface OfApplication {
  application: Application
}

const ApplicationActions = ({ application }: OfApplication) => {
  const { t } = useTranslation()
  const { id, name, status } = application
  const isEnabled = status === 1
  return (
    <>
      <MoreMenu
        actions={[
          confirmed(isEnabled ? IconBan : IconCircleCheck, {
            title: t(isEnabled ? 'applications.disableOne' : 'applications.enableOne', { name }),
            confirm: t(isEnabled ? 'applications.disable' : 'applications.enable'),
            send: () => client.applications.update(id, { status: isEnabled ? 0 : 1 }),
            done: t(isEnabled ? 'applications.disabled' : 'applications.enabled'),
            children: t(isEnabled ? 'applications.disableText' : 'applications.enableText'),
          }),
          deletion({
            title: t('applications.deleteOne', { name }),
            confirm: t('applications.delete'),
            word: name,
            send: () => client.applications.delete(id),
            leaveTo: '/applications',
            done: t('applications.deleted', { name }),
            children: t('applications.deleteText'),
          }),
        ]}
      />
      {!application.is_registered && (
        <DialogButton variant="default" label={t('applications.edit')}>
          {(onClose) => <EditDialog application={application} onClose={onClose} />}
        </DialogButton>
      )}
    </>
  )
}

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

const ApplicationFacts = ({ application }: { application: Application }) => {
  const { t } = useTranslation()
  const yesNo = useYesNo()
  const { client_id: clientId, kind, redirect_uris: redirects, allowed_origins: origins } = application
  const resources = useResourceNames(application)
  return (
    <SectionCard title={t('applications.facts')}>
      <Facts>
        <Fact label={t('applications.clientId')}>
          <CopyText text={clientId} label={t('applications.copyClientId')} />
        </Fact>
        <Fact label={t('applications.kind')}>{t(`applicationKinds.${kind}`)}</Fact>
        <Fact label={t('applications.redirectUris')} isWide>
          <Lines of={redirects} />
        </Fact>
        {origins.length > 0 && (
          <Fact label={t('applications.origins')} isWide>
            <Lines of={origins} />
          </Fact>
        )}
        {resources.length > 0 && (
          <Fact label={t('places.resources')}>
            <Lines of={resources} />
          </Fact>
        )}
        {application.required_permission !== null && (
          <Fact label={t('applications.requiredPermission')}>{application.required_permission}</Fact>
        )}
        <Fact label={t('applications.requireMfa')}>{yesNo(application.require_mfa)}</Fact>
        <Fact label={t('applications.sessionDays')}>{daysOf(application.session_seconds)}</Fact>
        <Fact label={t('applications.createdAt')}>
          <MomentAndAgo at={application.created_at} />
        </Fact>
      </Facts>
    </SectionCard>
  )
}

/** 43 letters and digits, the length of a PKCE hash. No client exchanges the code. */
const anyChallenge = (): string =>
  `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '').slice(0, 43)

const addressOf = (issuer: string, outcome: string, clientId: string): string => {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: outcome,
    scope: 'openid profile email',
    state: 'test',
    nonce: 'test',
    code_challenge: anyChallenge(),
    code_challenge_method: 'S256',
  })
  return `${issuer}/oauth2/authorize?${query.toString()}`
}

interface TestSignInProps {
  application: Application
  canChange: boolean
}

/** Signs in as a user would, in a new tab. The sign-in ends at a page of this service. */
const TestSignIn = ({ application, canChange }: TestSignInProps) => {
  const { t } = useTranslation()
  const { data: issuer } = useIssuer()
  if (issuer === undefined) return null
  const outcome = `${issuer}/sign-in/outcome`
  const isAllowed = application.redirect_uris.includes(outcome)
  return (
    <SectionCard title={t('applications.test')} hint={t('applications.testHint')}>
      {isAllowed ? (
        <Group>
          <Button
            variant="default"
            component="a"
            href={addressOf(issuer, outcome, application.client_id)}
            target="_blank"
            rel="noreferrer"
          >
            {t('applications.testNow')}
          </Button>
        </Group>
      ) : (
        canChange && <AllowTest application={application} outcome={outcome} />
      )}
    </SectionCard>
  )
}

const AllowTest = ({ application, outcome }: { application: Application; outcome: string }) => {
  const { t } = useTranslation()
  const renew = useRenew()
  const { id, redirect_uris: present } = application
  const adding = useMutation({
    mutationFn: () => client.applications.update(id, { redirect_uris: [...present, outcome] }),
    onSuccess: renew,
  })
  return (
    <Stack gap="sm">
      {adding.error && <ErrorPanel error={adding.error} />}
      <Text size="sm" className="breakable">
        {t('applications.testAllowText', { address: outcome })}
      </Text>
      <Group>
        <Button variant="default" loading={adding.isPending} onClick={() => adding.mutate()}>
          {t('applications.testAllow')}
        </Button>
      </Group>
    </Stack>
  )
}
