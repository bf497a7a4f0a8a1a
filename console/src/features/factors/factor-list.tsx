import { Button, Group, Stack } from '@mantine/core'
import type { Factor } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { FactorFacts } from './factor-facts.tsx'

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
