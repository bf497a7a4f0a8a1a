import { Button, Group, Stack, Text } from '@mantine/core'
import type { Grant } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useFormat } from '../../format.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { useOwnGrants, useRenewGrants } from './grants.queries.ts'

/** Third-party applications that act in the caller's name. */
export const OwnGrants = () => {
  const { t } = useTranslation()
  const grants = useOwnGrants()
  const [asked, setAsked] = useState<Grant>()
  return (
    <SectionCard title={t('grants.own')} hint={t('grants.ownText')}>
      <Loaded query={grants} height={40}>
        {(data) => <OwnList grants={data} onRevoke={setAsked} />}
      </Loaded>
      {asked && (
        <RevokeGrant
          grant={asked}
          revoke={(id) => client.auth.revokeGrant(id)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </SectionCard>
  )
}

const OwnList = ({ grants, onRevoke }: { grants: Grant[]; onRevoke: (grant: Grant) => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (grants.length === 0) return <Text size="sm">{t('grants.ownNone')}</Text>
  return (
    <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('grants.own')}>
      {grants.map((grant) => (
        <Group key={grant.id} component="li" justify="space-between" align="flex-start" wrap="nowrap">
          <Stack gap={2} miw={0}>
            <Text size="sm" fw={500} className="breakable">
              {grant.application.name}
            </Text>
            <Text size="sm" c="dimmed" className="breakable">
              {[grant.application.host, grant.scopes.join(', '), grant.resource].filter(Boolean).join(' · ')}
            </Text>
            <Text size="sm" c="dimmed">
              {t('grants.since', { moment: format.moment(grant.created_at) })}
            </Text>
          </Stack>
          <Button
            size="xs"
            variant="default"
            aria-label={t('grants.revokeOne', { name: grant.application.name })}
            onClick={() => onRevoke(grant)}
          >
            {t('grants.revoke')}
          </Button>
        </Group>
      ))}
    </Stack>
  )
}

interface RevokeGrantProps {
  grant: Grant
  revoke: (id: number) => Promise<unknown>
  onClose: () => void
}

export const RevokeGrant = ({ grant, revoke, onClose }: RevokeGrantProps) => {
  const { t } = useTranslation()
  const { name } = grant.application
  return (
    <ConfirmChange
      title={t('grants.revokeTitle', { name })}
      confirm={t('grants.revoke')}
      send={() => revoke(grant.id)}
      onClose={onClose}
      done={t('grants.revoked', { name })}
      renew={useRenewGrants()}
    >
      {t('grants.revokeText')}
    </ConfirmChange>
  )
}
