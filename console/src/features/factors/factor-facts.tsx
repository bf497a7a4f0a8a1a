import { Stack, Text } from '@mantine/core'
import type { Factor } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useAgo } from '../../components/ago.tsx'
import { useFormat } from '../../format.ts'

export const FactorFacts = ({ factor }: { factor: Factor }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, type, created_at: added, last_used_at: used } = factor
  const ago = useAgo(used)
  return (
    <Stack gap={2} miw={0}>
      <Text size="sm" fw={500} className="breakable">
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        {[
          t(type === 'totp' ? 'factors.kind.totp' : 'factors.kind.passkey'),
          used === '' ? t('factors.neverUsed') : t('factors.used', { ago }),
        ].join(' · ')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('factors.added', { moment: format.moment(added) })}
      </Text>
    </Stack>
  )
}
