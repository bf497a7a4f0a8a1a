import { NativeSelect, Stack, Switch, Text } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { supportAccess, supportColleagues, supportModes, supportNotice } from './known-settings.ts'
import { Readings } from './readings.tsx'
import { useSaveSetting } from './setting-form.tsx'
import { useCanConfigure } from './settings.queries.ts'

interface SupportFormProps {
  settingOf: (name: string) => Setting | undefined
}

const labels = {
  [supportAccess.key]: 'supportRules.access',
  [supportColleagues.key]: 'supportRules.colleagues',
} as const

const keys = [supportAccess.key, supportColleagues.key] as const

/** Any other value counts as `off`, as the service reads it. */
const modeOf = (setting: Setting | undefined) =>
  setting === undefined ? 'ask' : (supportModes.find((mode) => mode === setting.value) ?? 'off')

/** Only own users of the tenant with `support:allow` set the rules. */
const useCanSet = (): boolean => {
  const canWrite = useCanConfigure('tenant')
  const { isOwn } = useScope()
  return useMe().can('support:allow') && canWrite && isOwn
}

/** The rules of the tenant about support sessions. */
export const SupportForm = (props: SupportFormProps) => {
  const { t } = useTranslation()
  const canSet = useCanSet()
  const { hasFactor } = useMe()
  return (
    <SectionCard title={t('supportRules.title')} hint={t('supportRules.hint')}>
      {canSet && hasFactor ? <Inputs {...props} /> : <Values {...props} />}
      {!canSet && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('supportRules.needs')}
        </Text>
      )}
    </SectionCard>
  )
}

const isNotified = (setting: Setting | undefined): boolean => setting?.value !== false

const Values = ({ settingOf }: SupportFormProps) => {
  const { t } = useTranslation()
  return (
    <Readings
      of={[
        ...keys.map((key): [string, string] => [t(labels[key]), t(`supportRules.${modeOf(settingOf(key))}`)]),
        [t('supportRules.notice'), isNotified(settingOf(supportNotice.key))],
      ]}
    />
  )
}

const Inputs = ({ settingOf }: SupportFormProps) => {
  const { t } = useTranslation()
  const put = useSaveSetting('tenant')
  return (
    <Stack gap="sm" maw={420}>
      {keys.map((key) => (
        <NativeSelect
          key={key}
          label={t(labels[key])}
          disabled={put.isPending}
          value={modeOf(settingOf(key))}
          data={supportModes.map((mode) => ({ value: mode, label: t(`supportRules.${mode}`) }))}
          onChange={({ currentTarget: { value } }) => put.mutate({ key, value })}
        />
      ))}
      <Switch
        label={t('supportRules.notice')}
        description={t('supportRules.noticeHint')}
        checked={isNotified(settingOf(supportNotice.key))}
        disabled={put.isPending}
        onChange={({ currentTarget }) => put.mutate({ key: supportNotice.key, value: currentTarget.checked })}
      />
      {put.error && <ErrorPanel error={put.error} />}
    </Stack>
  )
}
