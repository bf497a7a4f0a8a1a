import { Button, Group, Stack, Text } from '@mantine/core'
import type { Factor } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useAgo } from '../../components/ago.tsx'
import { useFormat } from '../../format.ts'

interface FactorListProps {
  factors: Factor[]
  /** Absent if the caller cannot remove them. */
  onRemove?: ((factor: Factor) => void) | undefined
}

export const FactorList = ({ factors, onRemove }: FactorListProps) => {
  const { t } = useTranslation()
  return (
    <Stack gap="md" component="ul" aria-label={t('factors.title')} m={0} p={0} style={{ listStyle: 'none' }}>
      {factors.map((factor) => (
        <Group
          key={factor.id}
          component="li"
          justify="space-between"
          align="flex-start"
          gap="sm"
          wrap="nowrap"
        >
          <FactorFacts factor={factor} />
          {onRemove && (
            <Button
              size="xs"
              variant="default"
              flex="none"
              aria-label={t('factors.removeOne', { name: factor.name })}
              onClick={() => onRemove(factor)}
            >
              {t('factors.remove')}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  )
}

const FactorFacts = ({ factor }: { factor: Factor }) => {
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
