import { Drawer, Stack, Text, Title } from '@mantine/core'
import type { Attempt } from '@tenantry/client'
import { headless } from '../../components/dialog.tsx'
import { useTranslation } from '../../translation.ts'
import { AttemptFacts, AttemptStatus, useAttemptText } from './attempt-facts.tsx'

interface AttemptDrawerProps {
  attempt: Attempt
  onClose: () => void
}

/** One sign-in: the claims of the provider, and the decision. */
export const AttemptDrawer = ({ attempt, onClose }: AttemptDrawerProps) => {
  const { t } = useTranslation()
  const textOf = useAttemptText()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      attributes={headless}
      title={t('connections.attempt')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack>
        <Title order={2} size="h3" className="breakable">
          {attempt.email || t('connections.noAddress')}
        </Title>
        <Stack gap={4} align="flex-start">
          <AttemptStatus outcome={attempt.outcome} />
          <Text size="sm">{textOf(attempt)}</Text>
        </Stack>
        <AttemptFacts attempt={attempt} />
      </Stack>
    </Drawer>
  )
}
