import { Button, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditLog } from '@tenantry/client'
import { useState } from 'react'
import { JsonView } from '../../components/json-view.tsx'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useAuditTexts } from '../audit/audit.texts.ts'

/** A sample record for an event that has not happened in this tenant yet. It belongs to no tenant. */
const madeUp = (action: string, tenantId: string): AuditLog => ({
  id: 812,
  tenant_id: tenantId,
  user_id: 7,
  action,
  resource: action.split('.')[0] ?? '',
  resource_id: '12',
  detail: { name: { from: 'Editors', to: 'Authors' } },
  ip: '192.0.2.7',
  user_agent: 'Mozilla/5.0',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  created_at: '2026-01-31T09:30:00.000Z',
})

/** The last record of an action in the tenant, or a sample. */
const useSample = (action: string) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['audit', tenantId, 'sample', action],
    queryFn: async ({ signal }) => {
      const [last] = (await api.audit.list({ action, page_size: 1 }, { signal })).items
      return { record: last ?? madeUp(action, tenantId), isReal: last !== undefined }
    },
  })
}

/** The body of a delivery for each event that these patterns cover. */
export const SamplePayload = ({ events }: { events: string[] }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const { actions, ofAction } = useAuditTexts()
  const known = actions.filter((action) => events.some((pattern) => isCovered(pattern, action)))
  const shown = known.find((action) => action === chosen) ?? known[0]
  if (shown === undefined || !can('audit:read')) return null
  return (
    <Stack gap="xs" align="stretch">
      <Button
        size="xs"
        variant="default"
        aria-expanded={isOpen}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setOpen(!isOpen)}
      >
        {t('webhooks.sample')}
      </Button>
      {isOpen && (
        <>
          <NativeSelect
            aria-label={t('webhooks.sampleOf')}
            data={known.map((value) => ({ value, label: `${ofAction(value)} (${value})` }))}
            value={shown}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
          <Payload action={shown} />
        </>
      )}
    </Stack>
  )
}

const Payload = ({ action }: { action: string }) => {
  const { t } = useTranslation()
  const { data } = useSample(action)
  if (!data) return <Skeleton height={240} />
  const { record, isReal } = data
  return (
    <>
      <Text size="xs" c="dimmed">
        {t(isReal ? 'webhooks.sampleReal' : 'webhooks.sampleMadeUp')}
      </Text>
      <JsonView
        value={{ type: action, timestamp: record.created_at, data: record }}
        label={t('webhooks.sample')}
      />
    </>
  )
}

export const resourceOf = (event: string): string => event.slice(0, event.indexOf('.'))

/** True if a webhook with the pattern sends the event. */
export const isCovered = (pattern: string, event: string): boolean =>
  ['*', event, `${resourceOf(event)}.*`].includes(pattern)
