import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { Setting, Usage } from '@tenantry/client'
import { SectionCard } from '../../components/section-card.tsx'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { limits, type SettingScope } from './known-settings.ts'
import { SettingForm } from './setting-form.tsx'
import { useUsage } from './settings.queries.ts'

type Name = keyof Usage

/** The numbers are texts until the form is sent. An empty text is no number. */
type Values = Record<Name, string>

/** The label of each limit, and the sentence about its use. */
const rows = [
  ['users', 'limits.users', 'limits.usersOf'],
  ['pending_invitations', 'limits.invitations', 'limits.invitationsOf'],
  ['service_accounts', 'limits.accounts', 'limits.accountsOf'],
  ['roles', 'limits.roles', 'limits.rolesOf'],
  ['webhooks', 'limits.webhooks', 'limits.webhooksOf'],
  ['connections', 'limits.connections', 'limits.connectionsOf'],
] as const satisfies (readonly [Name, string, string])[]

type Stored = Partial<Record<Name, number | null>>

const storedIn = (setting: Setting | undefined) => (setting?.value ?? {}) as Stored

const isLimit = (text: string): boolean => /^\d*$/.test(text.trim()) && Number(text) <= limits.max

interface LimitsProps {
  scope: SettingScope
  setting: Setting | undefined
}

/** Platform administrators write limits. Administrators of a tenant see what it uses of them. */
export const LimitsForm = (props: LimitsProps) => {
  const { can } = useMe()
  const mayWrite = props.scope === 'global' || can('tenant:enter')
  return mayWrite ? <Fields {...props} /> : <Used setting={props.setting} />
}

const each = <T,>(valueOf: (name: Name) => T): Record<Name, T> => ({
  users: valueOf('users'),
  pending_invitations: valueOf('pending_invitations'),
  service_accounts: valueOf('service_accounts'),
  roles: valueOf('roles'),
  webhooks: valueOf('webhooks'),
  connections: valueOf('connections'),
})

/** The value to store. A stored null means no limit here, whatever the limit of all tenants, and stays. */
const limitsOf = (values: Values, stored: Stored): Stored =>
  Object.fromEntries(
    rows.flatMap(([name]): [Name, number | null][] => {
      const text = values[name].trim()
      if (text !== '') return [[name, Number(text)]]
      return stored[name] === null ? [[name, null]] : []
    }),
  )

const Fields = ({ scope, setting }: LimitsProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const stored = storedIn(setting)
  const usage = useUsage(scope === 'tenant').data
  const wrong = t('settings.retentionWrong', { min: '0', max: format.count(limits.max) })
  const check = (text: string) => (isLimit(text) ? null : wrong)
  const emptyText = (name: Name) => {
    if (scope === 'global' || stored[name] === null) return t('limits.none')
    const limit = stored[name] === undefined ? (usage?.[name].limit ?? null) : null
    return limit === null ? t('limits.noneHere') : t('limits.inherited', { limit: format.count(limit) })
  }
  return (
    <SettingForm<Values>
      scope={scope}
      name={limits.key}
      title={t('limits.title')}
      hint={t(scope === 'global' ? 'limits.hintOfAll' : 'limits.hint')}
      saved={each((name) => String(stored[name] ?? ''))}
      validate={each(() => check)}
      settingOf={(values) => limitsOf(values, stored)}
    >
      {(form, isReadOnly) => (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {rows.map(([name, label]) => (
            <TextInput
              key={name}
              inputMode="numeric"
              label={t(label)}
              description={usage && t('limits.used', { used: format.count(usage[name].used) })}
              placeholder={emptyText(name)}
              disabled={isReadOnly}
              {...form.getInputProps(name)}
            />
          ))}
        </SimpleGrid>
      )}
    </SettingForm>
  )
}

const Used = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: usage } = useUsage(useMe().can('user:read'))
  const stored = storedIn(setting)
  const limited = rows.flatMap(([name, , text]) => {
    const { used, limit } = usage?.[name] ?? { used: 0, limit: null }
    return limit === null ? [] : [{ name, used, limit, text }]
  })
  if (limited.length === 0) return null
  return (
    <SectionCard title={t('limits.title')} hint={t('limits.usedHint')}>
      <Stack gap="xs">
        {limited.map(({ name, used, limit, text }) => (
          <Text key={name} size="sm" {...(used >= limit && { fw: 600 })}>
            {t(text, { used: format.count(used), limit: format.count(limit) })}
            {stored[name] === undefined && (
              <Text span size="xs" c="dimmed">
                {' · '}
                {t('settings.inherited')}
              </Text>
            )}
          </Text>
        ))}
      </Stack>
    </SectionCard>
  )
}
