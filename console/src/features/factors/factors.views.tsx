import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { Factor } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { SectionCard } from '../../components/section-card.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useAuthOptions } from '../../session/me.ts'
import { FactorList } from './factor-list.tsx'
import { useFactors } from './factors.queries.ts'
import { canUsePasskeys } from '../../session/passkey.ts'

export { FactorsOfUser } from './factors-of-user.tsx'

const AddTotp = lazyPart(async () => (await import('./add-totp.tsx')).AddTotp)
const AddPasskey = lazyPart(async () => (await import('./add-passkey.tsx')).AddPasskey)
const RemoveFactor = lazyPart(async () => (await import('./change-factors.tsx')).RemoveFactor)
const NewCodes = lazyPart(async () => (await import('./change-factors.tsx')).NewCodes)

export const FactorsCard = () => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('factors.title')} hint={t('factors.text')}>
      <OwnFactors />
    </SectionCard>
  )
}

/** The own second factors, and the ways to add and remove them. */
const OwnFactors = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useFactors()
  const [removed, setRemoved] = useState<Factor>()
  if (error && !data) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={80} />
  const { factors, recovery_codes_left: left } = data
  return (
    <Stack>
      {factors.length === 0 ? (
        <Text size="sm">{t('factors.none')}</Text>
      ) : (
        <FactorList factors={factors} onRemove={setRemoved} />
      )}
      {factors.length > 0 && <Codes left={left} />}
      <Adding />
      {removed && <RemoveFactor factor={removed} onClose={() => setRemoved(undefined)} />}
    </Stack>
  )
}

const Codes = ({ left }: { left: number }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">{t('factors.codesLeft', { count: left })}</Text>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t('factors.newCodes')}
      </Button>
      {isOpen && <NewCodes onClose={() => setOpen(false)} />}
    </Group>
  )
}

const Adding = () => {
  const { t } = useTranslation()
  const [added, setAdded] = useState<Factor['type']>()
  const hasPasskeys = useAuthOptions().data?.passkeys === true && canUsePasskeys()
  const close = (): void => setAdded(undefined)
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => setAdded('totp')}>
        {t('factors.addTotp')}
      </Button>
      {hasPasskeys && (
        <Button variant="default" onClick={() => setAdded('passkey')}>
          {t('factors.addPasskey')}
        </Button>
      )}
      {added === 'totp' && <AddTotp onClose={close} />}
      {added === 'passkey' && <AddPasskey onClose={close} />}
    </Group>
  )
}
