import { Group, List, Text } from '@mantine/core'
import type { Connection, Domain } from '@tenantry/client'
import { SectionCard } from '../../components/section-card.tsx'
import { StepItem } from '../../components/step-item.tsx'
import { useTranslation } from '../../translation.ts'
import { GuideButton } from './guide-button.tsx'
import { providers } from './presets.ts'

interface PlanProps {
  domains: Domain[]
  connections: Connection[]
}

/** The steps to a first active connection, and the guides of the providers. */
export const Plan = ({ domains, connections }: PlanProps) => {
  const { t } = useTranslation()
  const steps = [
    { name: 'domain', isDone: domains.some(({ status }) => status === 'verified') },
    { name: 'connection', isDone: false },
    { name: 'directory', isDone: connections.some(({ scim_account_id: id }) => id !== null) },
    { name: 'only', isDone: false },
  ] as const
  return (
    <SectionCard title={t('ssoPlan.title')} hint={t('ssoPlan.hint')}>
      <List type="ordered" listStyleType="none" className="steps" aria-label={t('ssoPlan.title')}>
        {steps.map(({ name, isDone }) => (
          <StepItem
            key={name}
            isDone={isDone}
            sign={t(isDone ? 'ssoPlan.done' : 'ssoPlan.open')}
            title={
              <Text size="sm" fw={500}>
                {t(`ssoPlan.${name}`)}
              </Text>
            }
          >
            {t(`ssoPlan.${name}Text`)}
          </StepItem>
        ))}
      </List>
      <Group gap="xs" mt="md" role="group" aria-label={t('ssoPlan.guides')}>
        <Text size="sm" aria-hidden>
          {t('ssoPlan.guides')}
        </Text>
        {providers.map((one) => (
          <GuideButton key={one} provider={one} label={t(`ssoProviders.${one}`)} />
        ))}
      </Group>
    </SectionCard>
  )
}
