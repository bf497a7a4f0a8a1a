import { Stack, Switch } from '@mantine/core'
import { LazyManyChoice } from '../../components/lazy-many-choice.tsx'
import { useAuthOptions, useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { useProviders } from '../providers/providers.queries.ts'
import type { SettingScope } from './known-settings.ts'

/** The active providers. A tenant chooses among those that the installation opens. */
const useOffered = (scope: SettingScope): { slug: string; name: string }[] => {
  const isOfAll = useMe().can('provider:read') && scope === 'global'
  const { data: all = [] } = useProviders(isOfAll)
  const { data: options } = useAuthOptions()
  return isOfAll ? all.filter(({ status }) => status === 'active') : (options?.ways.providers ?? [])
}

interface ProviderChoiceProps {
  scope: SettingScope
  /** The slugs of the open providers. Null means all. */
  value: string[] | null
  onChange: (slugs: string[] | null) => void
}

/** The providers that are open. Shows nothing before the installation has one. */
export const ProviderChoice = ({ scope, value, onChange }: ProviderChoiceProps) => {
  const { t } = useTranslation()
  const offered = useOffered(scope)
  if (offered.length === 0 && value === null) return null
  const choices = offered.map(({ slug, name }) => ({ value: slug, label: name }))
  // A provider that is not active now stays in the list.
  const others = (value ?? []).filter((slug) => offered.every((one) => one.slug !== slug))
  return (
    <Stack gap="xs">
      <Switch
        label={t('settings.waysProviders')}
        description={t('settings.waysProvidersHint')}
        checked={value === null}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? null : offered.map(({ slug }) => slug))
        }
      />
      {value !== null && (
        <LazyManyChoice
          label={t('settings.waysProvidersOpen')}
          placeholder={value.length === 0 ? t('settings.waysProvidersNone') : ''}
          data={[...choices, ...others]}
          value={value}
          onChange={onChange}
        />
      )}
    </Stack>
  )
}
