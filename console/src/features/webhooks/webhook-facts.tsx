import { Box, Group, SimpleGrid, Text } from '@mantine/core'
import type { Webhook } from '@tenantry/client'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { MomentAndAgo } from '../../components/ago.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useFormat } from '../../format.ts'
import { SamplePayload } from './sample-payload.tsx'
import { useEventTexts } from './webhooks.texts.ts'

interface WebhookFactsProps {
  webhook: Webhook
}

export const WebhookFacts = ({ webhook }: WebhookFactsProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, url, backlog, created_at, last_delivered_at } = webhook
  return (
    <SectionCard title={t('webhooks.facts')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0}>
        <Fact label={t('webhooks.url')} isWide>
          <CopyText text={url} label={t('webhooks.copyUrl')} />
        </Fact>
        <Fact label={t('webhooks.events')} isWide>
          <Events webhook={webhook} />
        </Fact>
        <Fact label={t('webhooks.backlog')} hint={t('webhooks.backlogHint')}>
          {format.count(backlog)}
        </Fact>
        <Fact label={t('webhooks.lastDelivered')}>
          <MomentAndAgo at={last_delivered_at} />
        </Fact>
        <Fact label={t('webhooks.createdAt')}>
          <MomentAndAgo at={created_at} />
        </Fact>
        <Fact label={t('fields.id')}>{id}</Fact>
      </SimpleGrid>
      <Box mt="md">
        <SamplePayload events={webhook.events} />
      </Box>
    </SectionCard>
  )
}

interface FactProps {
  label: string
  hint?: string
  /** Takes a whole line. */
  isWide?: boolean
  children: ReactNode
}

const Fact = ({ label, hint, isWide, children }: FactProps) => (
  <div style={isWide ? { gridColumn: '1 / -1' } : {}}>
    <Text component="dt" size="sm" c="dimmed">
      {label}
    </Text>
    <Text component="dd" size="sm" m={0} className="numbers">
      {children}
      {hint && (
        <Text span display="block" size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Text>
  </div>
)

const Events = ({ webhook: { events } }: WebhookFactsProps) => {
  const textOf = useEventTexts()
  return events.map((event) => (
    <Group key={event} component="span" gap={6}>
      {textOf(event)}
      <Text span size="xs" c="dimmed">
        {event}
      </Text>
    </Group>
  ))
}
