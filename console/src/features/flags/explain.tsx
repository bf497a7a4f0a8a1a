import { Badge, Box, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Flag, FlagExplanation } from '@tenantry/client'
import { useState, type SyntheticEvent } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useFormat } from '../../format.ts'
import { LazyUserPicker } from '../../components/lazy-user-picker.tsx'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'

const readContext = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const textOf = (context: object): string => JSON.stringify(context, null, 2)

const exampleIn = (tenantId: string): string =>
  textOf({ targetingKey: 'user-7', tenant_id: tenantId, plan: 'gold' })

/** The context of a page that asks with the token of its user (docs/feature-flags.md). */
const useContextOf = () => {
  const { tenantId } = useScope()
  const { tenant } = useScopeTenant()
  return (id: string, context: object | undefined): string =>
    textOf({
      ...context,
      targetingKey: id,
      user_id: id,
      tenant_id: tenantId,
      tenant_slug: tenant?.slug ?? '',
    })
}

interface OfUserProps {
  context: object | undefined
  onText: (text: string) => void
}

/** Writes the context of a chosen user. */
const OfUser = ({ context, onText }: OfUserProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const contextOf = useContextOf()
  if (!can('user:read')) return null
  return (
    <LazyUserPicker
      label={t('flags.user')}
      description={t('flags.userHint')}
      onChange={(id) => onText(contextOf(id, context))}
    />
  )
}

/** Answers which variant a context gets, and why. */
export const Explain = ({ flag }: { flag: Flag }) => {
  const { t } = useTranslation()
  const { tenantId } = useScope()
  const [text, setText] = useState(() => exampleIn(tenantId))
  const context = readContext(text)
  const asking = useMutation({
    mutationFn: (asked: Record<string, unknown>) => client.flags.explain(flag.key, { context: asked }),
  })
  const ask = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (context) asking.mutate(context)
  }
  return (
    <SectionCard title={t('flags.explain')} hint={t('flags.explainHint')}>
      <form noValidate onSubmit={ask}>
        <Stack gap="sm">
          <OfUser context={context} onText={setText} />
          <Textarea
            label={t('flags.context')}
            autosize
            minRows={4}
            maxRows={16}
            spellCheck={false}
            classNames={{ input: 'json' }}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={context ? undefined : t('flags.contextFault')}
          />
          <Group>
            <Button type="submit" variant="default" loading={asking.isPending} disabled={!context}>
              {t('flags.ask')}
            </Button>
          </Group>
        </Stack>
        <Box role="status" mt={asking.isIdle ? 0 : 'sm'}>
          {asking.error ? (
            <ErrorPanel error={asking.error} />
          ) : (
            asking.data && <Answer answer={asking.data} flag={flag} />
          )}
        </Box>
      </form>
    </SectionCard>
  )
}

const Answer = ({ answer, flag }: { answer: FlagExplanation; flag: Flag }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { variant, value, reason, rule_id: id, bucket } = answer
  const position = flag.rules.findIndex((rule) => rule.id === id)
  const isOverride = reason === 'TARGETING_MATCH' && id === ''
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant="default" tt="none" size="lg">
          {variant}
        </Badge>
        <Text size="sm" className="breakable">
          {JSON.stringify(value)}
        </Text>
      </Group>
      <Text size="sm">
        {isOverride
          ? t('flags.byTenant')
          : t(`flagReasons.${reason}`, { number: position < 0 ? '?' : position + 1 })}
      </Text>
      {bucket !== null && (
        <Text size="sm" c="dimmed">
          {t('flags.bucket', { bucket: format.count(bucket) })}
        </Text>
      )}
    </Stack>
  )
}
