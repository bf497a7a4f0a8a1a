import { Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Setting } from '@tenantry/client'
import { isolated } from '../../isolate.ts'
import { useAgo } from '../../components/ago.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { builtInTenantId } from '../../session/built-in.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useActors } from '../audit/actors.texts.ts'
import type { SettingScope } from './known-settings.ts'
import { useSettings } from './settings.queries.ts'

interface AboutProps {
  scope: SettingScope
  setting: Setting
}

/** The longest preview. A longer value does not fit beside another one. */
const previewMax = 500

/** The last change and its author. For a tenant's setting, also the value for all tenants. */
export const About = ({ scope, setting }: AboutProps) => (
  <Stack gap={6}>
    {scope === 'tenant' && <GlobalValue name={setting.key} />}
    <LastChange scope={scope} setting={setting} />
  </Stack>
)

const GlobalValue = ({ name }: { name: string }) => {
  const { t } = useTranslation()
  const found = useSettings('global').data?.find(({ key }) => key === name)
  if (!found) return null
  return (
    <Text size="sm" c="dimmed" className="breakable">
      {t('settings.globalValue')} <Code>{isolated(JSON.stringify(found.value).slice(0, previewMax))}</Code>
    </Text>
  )
}

/** Records of global settings belong to the built-in tenant. Only its own users can read them here. */
const useLastRecord = ({ scope, setting: { key } }: AboutProps) => {
  const { api, tenantId } = useScope()
  const { can, tenant } = useMe()
  const isGlobal = scope === 'global'
  const { data } = useQuery({
    queryKey: ['audit', isGlobal ? builtInTenantId : tenantId, 'setting', key],
    queryFn: async ({ signal }) =>
      (
        await (isGlobal ? client : api).audit.list(
          { resource: 'setting', resource_id: key, include: 'actor', page_size: 1 },
          { signal },
        )
      ).items[0] ?? null,
    enabled: can('audit:read') && (!isGlobal || tenant.id === builtInTenantId),
    staleTime: 0,
  })
  return data
}

const LastChange = (props: AboutProps) => {
  const { t } = useTranslation()
  const { nameOf } = useActors()
  const record = useLastRecord(props)
  const ago = useAgo(record?.created_at ?? props.setting.updated_at)
  return (
    <Text size="sm" c="dimmed">
      {record ? t('settings.changedBy', { name: nameOf(record), ago }) : t('settings.changed', { ago })}{' '}
      {record && props.scope === 'tenant' && (
        <TextLink
          to="/audit"
          search={{ resource: 'setting', resource_id: props.setting.key }}
          inherit
          underline="always"
        >
          {t('common.showAll')}
        </TextLink>
      )}
    </Text>
  )
}
