import { Button, Code, Group, Stack, Text } from '@mantine/core'
import type { SettingDefinition, SettingVersion } from '@tenantry/client'
import { useState } from 'react'
import { Ago } from '../../components/ago.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { isolated } from '../../isolate.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useChangingSettings, useVersions } from './settings.queries.ts'
import type { SettingScope } from './known-settings.ts'

interface SettingHistoryProps {
  scope: SettingScope
  definition: Pick<SettingDefinition, 'key' | 'secret'>
  isReadOnly: boolean
  onClose: () => void
}

/** The versions of a setting, loaded on demand. The user can restore an earlier value. */
export const SettingHistory = (props: SettingHistoryProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [isOpen, setOpen] = useState(false)
  if (props.scope === 'global' && !can('setting:global')) return null
  return (
    <Stack gap="sm">
      <Button
        variant="subtle"
        size="compact-sm"
        mr="auto"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('declared.history')}
      </Button>
      {isOpen && <Versions {...props} />}
    </Stack>
  )
}

const Versions = (props: SettingHistoryProps) => {
  const { t } = useTranslation()
  const { data, error } = useVersions(props.scope, props.definition.key)
  if (error) return <ErrorPanel error={error} />
  const versions = data?.items ?? []
  if (data && versions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('declared.noHistory')}
      </Text>
    )
  }
  return (
    <Stack gap="sm" role="list" aria-label={t('declared.history')}>
      {versions.map((version, at) => (
        <Version
          key={version.version}
          {...props}
          version={version}
          before={versions[at + 1]}
          isPresent={at === 0}
        />
      ))}
    </Stack>
  )
}

interface VersionProps extends SettingHistoryProps {
  version: SettingVersion
  before: SettingVersion | undefined
  isPresent: boolean
}

const Version = ({ version, before, isPresent, ...props }: VersionProps) => {
  const { t } = useTranslation()
  const isKept = !version.is_deleted && !props.definition.secret
  return (
    <Group justify="space-between" align="flex-start" gap="xs" role="listitem">
      <Stack gap={2} flex="1 1 220px" miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {t('declared.version', { version: version.version })}
          </Text>
          <Ago at={version.changed_at} />
        </Group>
        {props.definition.secret ? null : <VersionChange version={version} before={before} />}
        {version.reverted_from !== null && (
          <Text size="xs" c="dimmed">
            {t('declared.revertedFrom', { version: version.reverted_from })}
          </Text>
        )}
      </Stack>
      {isKept && !isPresent && !props.isReadOnly && <RevertButton {...props} version={version.version} />}
    </Group>
  )
}

const shown = (version: SettingVersion | undefined): string =>
  version === undefined || version.is_deleted ? '–' : isolated(JSON.stringify(version.value))

const VersionChange = ({
  version,
  before,
}: {
  version: SettingVersion
  before: SettingVersion | undefined
}) => (
  <Text size="sm" component="div" className="breakable">
    {before && (
      <>
        <Code>{shown(before)}</Code> →{' '}
      </>
    )}
    <Code>{shown(version)}</Code>
  </Text>
)

const RevertButton = ({
  scope,
  definition: { key },
  version,
  onClose,
}: Omit<SettingHistoryProps, 'isReadOnly'> & { version: number }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const revert = useChangingSettings(
    () => api.settings[scope].revert(key, { version }),
    () => {
      notify(t('settings.saved', { key }))
      onClose()
    },
  )
  return (
    <Stack gap={4}>
      <Button
        size="compact-sm"
        variant="default"
        loading={revert.isPending}
        aria-label={t('declared.revertTo', { version })}
        onClick={() => revert.mutate(undefined)}
      >
        {t('declared.revert')}
      </Button>
      {revert.error && <ErrorPanel error={revert.error} />}
    </Stack>
  )
}
