import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Application } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { useIssuer, useRenewApplications } from './applications.queries.ts'

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

/** Signs in as a user would, in a new tab that ends at a page of this service. */
export const TestSignIn = ({ application, canChange }: TestSignInProps) => {
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
  const renew = useRenewApplications()
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
