import { NativeSelect, Stack, Switch } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { supportAccess, supportColleagues, supportModes, supportNotice } from './known-settings.ts'
import { useSaveSetting } from './setting-form.tsx'
import { useCanConfigure } from './settings.queries.ts'

interface SupportFormProps {
  settingOf: (name: string) => Setting | undefined
}

const labels = {
  [supportAccess.key]: 'supportRules.access',
  [supportColleagues.key]: 'supportRules.colleagues',
} as const

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
export const SupportForm = ({ settingOf }: SupportFormProps) => {
  const { t, gap } = useTranslation()
  const canSet = useCanSet()
  const put = useSaveSetting('tenant')
  const refusal = useFactorRefusal({ isNeeded: canSet, isLine: true })
  const isDisabled = !canSet || put.isPending || refusal !== undefined
  return (
    <SectionCard
      title={t('supportRules.title')}
      hint={
        <>
          {t('supportRules.hint')}
          {gap}
          {t('supportRules.needs')}
        </>
      }
    >
      <Stack gap="sm" maw={420}>
        {refusal}
        {([supportAccess.key, supportColleagues.key] as const).map((key) => (
          <NativeSelect
            key={key}
            label={t(labels[key])}
            disabled={isDisabled}
            value={modeOf(settingOf(key))}
            data={supportModes.map((mode) => ({ value: mode, label: t(`supportRules.${mode}`) }))}
            onChange={({ currentTarget: { value } }) => put.mutate({ key, value })}
          />
        ))}
        <Switch
          label={t('supportRules.notice')}
          description={t('supportRules.noticeHint')}
          checked={settingOf(supportNotice.key)?.value !== false}
          disabled={isDisabled}
          onChange={({ currentTarget }) =>
            put.mutate({ key: supportNotice.key, value: currentTarget.checked })
          }
        />
        {put.error && <ErrorPanel error={put.error} />}
      </Stack>
    </SectionCard>
  )
}
