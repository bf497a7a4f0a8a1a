import { List, Stack, Text } from '@mantine/core'
import { CopyLine } from '../../components/copy-text.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import type { Kind } from './provider-kinds.ts'

interface GuideProps {
  kind: Kind
  /** Undefined until the slug is valid. */
  callbackUrl: string | undefined
}

/** The steps at the provider, and the address that they need. */
export const Guide = ({ kind, callbackUrl }: GuideProps) => {
  const { t, textsOf } = useTranslation()
  const steps = textsOf('providerGuides')[kind].split('\n')
  return (
    <SectionCard title={t('providers.guide', { kind: t(`providerKinds.${kind}`) })}>
      <Stack>
        {callbackUrl === undefined ? (
          <Text size="sm" c="dimmed">
            {t('providers.callbackNeeds')}
          </Text>
        ) : (
          <CopyLine label={t('providers.callback')} text={callbackUrl} copy={t('providers.copyCallback')} />
        )}
        <List type="ordered" size="sm" spacing="xs" className="breakable">
          {steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
      </Stack>
    </SectionCard>
  )
}
