import { Button, Group, Stack, Text } from '@mantine/core'
import type { Application } from '@tenantry/client'
import { useState } from 'react'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { useRenew } from '../../components/use-renew.ts'

/** The most secrets (docs/contract.md). With two, one can replace the other without an interruption. */
const secretsMax = 2

type Secret = Application['secrets'][number]

interface SecretsProps {
  application: Application
  canChange: boolean
}

export const Secrets = ({ application, canChange }: SecretsProps) => {
  const { t } = useTranslation()
  const [revoked, setRevoked] = useState<Secret>()
  return (
    <SectionCard title={t('applications.secrets')} hint={t('applications.secretsHint')}>
      <Stack gap="sm">
        {application.secrets.length === 0 && <Text size="sm">{t('applications.noSecrets')}</Text>}
        {application.secrets.map((secret) => (
          <Group key={secret.id} justify="space-between">
            <Text size="sm" component="div">
              {t('applications.secretCreated')} <MomentAndAgo at={secret.created_at} />
            </Text>
            {canChange && (
              <Button size="compact-sm" variant="default" onClick={() => setRevoked(secret)}>
                {t('applications.revoke')}
              </Button>
            )}
          </Group>
        ))}
        {canChange && application.secrets.length < secretsMax && <AddSecret application={application} />}
      </Stack>
      {revoked && (
        <ConfirmChange
          title={t('applications.revokeTitle')}
          confirm={t('applications.revoke')}
          send={() => client.applications.secrets.delete(application.id, revoked.id)}
          onClose={() => setRevoked(undefined)}
          done={t('applications.secretRevoked')}
        >
          {t('applications.revokeText')}
        </ConfirmChange>
      )}
    </SectionCard>
  )
}

/** Does not use the query client, because its cache would keep the secret. */
const useAddSecret = ({ id }: Application) => {
  const renew = useRenew()
  const [secret, setSecret] = useState<string>()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const add = async (): Promise<void> => {
    setPending(true)
    setError(undefined)
    try {
      setSecret((await client.applications.secrets.create(id)).secret)
      await renew()
    } catch (err) {
      setError(err)
    } finally {
      setPending(false)
    }
  }
  return { secret, isPending, error, add: () => void add(), forget: () => setSecret(undefined) }
}

const AddSecret = ({ application }: { application: Application }) => {
  const { t, textsOf } = useTranslation()
  const { secret, isPending, error, add, forget } = useAddSecret(application)
  return (
    <>
      {error !== undefined && <ErrorPanel error={error} />}
      <Group>
        <Button variant="default" loading={isPending} onClick={add}>
          {t('applications.addSecret')}
        </Button>
      </Group>
      {secret !== undefined && (
        <SecretDialog
          title={t('applications.secretAdded')}
          secret={secret}
          texts={textsOf('applicationSecrets')}
          created={t('applications.secretAdded')}
          isDirty={false}
          isPending={false}
          onClose={forget}
        >
          {null}
        </SecretDialog>
      )}
    </>
  )
}
