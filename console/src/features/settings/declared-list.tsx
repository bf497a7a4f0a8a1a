import { Badge, Code, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { EffectiveSetting, Setting, SettingDefinition } from '@tenantry/client'
import { isolated } from '../../isolate.ts'
import { SectionCard } from '../../components/section-card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useTranslation } from '../../translation.ts'
import { useEffective } from './settings.queries.ts'
import type { SettingScope } from './known-settings.ts'

const previewMax = 80

/** The effective value of a declared setting in a scope, and its origin. */
export interface ResolvedSetting {
  value: unknown
  origin: EffectiveSetting['origin'] | 'inherited'
  isLocked: boolean
  isSet: boolean
}

/** In the scope of all tenants, the values of single tenants have no effect. */
export const resolveSetting = (
  scope: SettingScope,
  definition: SettingDefinition,
  stored: Setting | undefined,
  effective: EffectiveSetting | undefined,
): ResolvedSetting => {
  const isLocked = definition.is_locked
  if (scope === 'tenant' && effective) {
    const origin = effective.origin === 'global' ? 'inherited' : effective.origin
    return { value: effective.value, origin, isLocked, isSet: effective.is_set }
  }
  return stored
    ? { value: stored.value, origin: scope, isLocked, isSet: true }
    : { value: definition.default, origin: 'default', isLocked, isSet: false }
}

export const OriginBadge = ({ origin, isLocked }: Pick<ResolvedSetting, 'origin' | 'isLocked'>) => {
  const { t } = useTranslation()
  return (
    <Group gap={6} wrap="nowrap">
      <Badge variant="default" tt="none" fw={500} miw="max-content">
        {t(`declared.origin_${origin}`)}
      </Badge>
      {isLocked && (
        <Badge
          variant="default"
          tt="none"
          fw={500}
          miw="max-content"
          leftSection={<IconLock size={12} stroke={2} />}
        >
          {t('declared.locked')}
        </Badge>
      )}
    </Group>
  )
}

interface DeclaredListProps {
  scope: SettingScope
  definitions: SettingDefinition[]
  stored: Setting[]
}

export const DeclaredList = ({ scope, definitions, stored }: DeclaredListProps) => {
  const { t } = useTranslation()
  const effective = useEffective()
  if (definitions.length === 0) return null
  if (effective.isPending) return <Skeleton height={240} mb="lg" />
  const groups = Map.groupBy(definitions, ({ group }) => group)
  return (
    <Stack gap="lg" mb="lg">
      {[...groups].map(([group, members]) => (
        <SectionCard key={group} title={group === '' ? t('declared.title') : group}>
          <Stack gap="md">
            {members.map((definition) => (
              <Declared
                key={definition.key}
                definition={definition}
                resolved={resolveSetting(
                  scope,
                  definition,
                  stored.find(({ key }) => key === definition.key),
                  effective.data?.get(definition.key),
                )}
              />
            ))}
          </Stack>
        </SectionCard>
      ))}
    </Stack>
  )
}

const Declared = ({ definition, resolved }: { definition: SettingDefinition; resolved: ResolvedSetting }) => {
  const { t } = useTranslation()
  const { key, label, description } = definition
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <Stack gap={2} flex="1 1 220px" miw={0}>
        <TextLink
          to="/settings"
          search={(others) => ({ ...others, key })}
          resetScroll={false}
          size="sm"
          fw={500}
          className="cut"
          title={key}
          aria-label={t('settings.open', { key: label === '' ? key : label })}
        >
          {label === '' ? key : label}
        </TextLink>
        {description !== '' && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
      </Stack>
      <Group gap="xs" miw={0} maw="100%">
        <Value definition={definition} resolved={resolved} />
        {(resolved.isSet || resolved.isLocked || definition.default !== null) && (
          <OriginBadge {...resolved} />
        )}
      </Group>
    </Group>
  )
}

const Value = ({ definition, resolved }: { definition: SettingDefinition; resolved: ResolvedSetting }) => {
  const { t } = useTranslation()
  const hasDefault = definition.default !== null
  if (definition.secret || (!resolved.isSet && !hasDefault)) {
    return <Text size="sm">{t(resolved.isSet ? 'declared.secretSet' : 'declared.secretUnset')}</Text>
  }
  return (
    <Code className="cut" maw={260}>
      {isolated(JSON.stringify(resolved.value).slice(0, previewMax))}
    </Code>
  )
}
