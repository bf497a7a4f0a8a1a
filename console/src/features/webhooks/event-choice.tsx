import { Stack, Text, type ComboboxItem } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { ManyChoice } from '../../components/many-choice.tsx'
import { builtInTenantId } from '../../session/built-in.ts'
import { useScope } from '../../session/scope.ts'
import { filterActions, useAuditTexts } from '../audit/audit.texts.ts'
import { isCovered, resourceOf } from './sample-payload.tsx'
import { useEventTexts } from './webhooks.texts.ts'

/** True if another pattern includes the event as well. */
const covers = (pattern: string, event: string): boolean => pattern !== event && isCovered(pattern, event)

const leastOf = (events: string[]): string[] =>
  events.filter((event) => events.every((pattern) => !covers(pattern, event)))

/** Records of these resources belong to the built-in tenant, so webhooks of other tenants never get them. */
const ofInstallation = new Set(['key', 'mail_text', 'permission', 'role_template', 'secret', 'tenant'])

/** All patterns by resource: all events, all events of a resource, and each action. A newer service can know more. */
const useKnownEvents = (chosen: string[]) => {
  const { t } = useTranslation()
  const { actions, ofResource } = useAuditTexts()
  const textOf = useEventTexts()
  const isBuiltIn = useScope().tenantId === builtInTenantId
  const itemOf = (value: string) => ({
    value,
    label: textOf(value),
    disabled: chosen.some((pattern) => covers(pattern, value)),
  })
  const heard = actions.filter((action) => isBuiltIn || !ofInstallation.has(resourceOf(action)))
  const byResource = Map.groupBy(heard, resourceOf)
  const known = new Set(['*', ...heard, ...[...byResource.keys()].map((resource) => `${resource}.*`)])
  const others = chosen.filter((event) => !known.has(event))
  return [
    { group: t('webhooks.everything'), items: ['*', ...others].map(itemOf) },
    ...[...byResource].map(([resource, of]) => ({
      group: ofResource(resource),
      items: [`${resource}.*`, ...of].map(itemOf),
    })),
  ]
}

interface EventChoiceProps {
  input: GetInputPropsReturnType
  onChoose: (events: string[]) => void
}

/** Lets the user choose events of the audit log by typing. A pattern that another one covers leaves the list. */
export const EventChoice = ({ input, onChoose }: EventChoiceProps) => {
  const { t } = useTranslation()
  const chosen = input.value as string[]
  return (
    <ManyChoice
      label={t('webhooks.events')}
      description={t('webhooks.eventsHint')}
      placeholder={chosen.length === 0 ? t('webhooks.eventsPlaceholder') : ''}
      withAsterisk
      searchable
      clearSearchOnChange
      data={useKnownEvents(chosen)}
      filter={filterActions}
      nothingFoundMessage={t('webhooks.noEvent')}
      renderOption={({ option }) => <Event option={option} />}
      {...input}
      onChange={(events: string[]) => onChoose(leastOf(events))}
    />
  )
}

const Event = ({ option: { value, label } }: { option: ComboboxItem }) => (
  <Stack gap={0} miw={0}>
    <Text size="sm">{label}</Text>
    {value !== '*' && (
      <Text size="xs" c="dimmed">
        {value}
      </Text>
    )}
  </Stack>
)
