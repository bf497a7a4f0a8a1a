import { Badge, Button, Code, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Flag, FlagRule } from '@tenantry/client'
import { useState } from 'react'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { deletion, MoreMenu } from '../../components/more-menu.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { Table } from '../../components/table.tsx'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { Explain } from './explain.tsx'
import { typedOf } from './flag-values.ts'
import { FlagSwitch } from './flag-switch.tsx'
import { useFlag } from './flags.queries.ts'
import { Overrides } from './overrides.tsx'

const EditDialog = lazyPart(async () => (await import('./flag-dialogs.views.tsx')).EditFlagDialog)

const RulesEditor = lazyPart(
  async () => (await import('./rules-editor.tsx')).RulesEditor,
  <Skeleton height={200} />,
)

const route = getRouteApi('/shell/flags/$flagKey')

export const FlagPage = () => {
  const flag = useFlag(route.useParams().flagKey)
  return (
    <ResourcePage of="/flags" query={flag} height={320}>
      {(data) => <FlagDetails flag={data} />}
    </ResourcePage>
  )
}

interface OfFlag {
  flag: Flag
}

const FlagDetails = ({ flag }: OfFlag) => {
  const { t } = useTranslation()
  const canManage = useMe().can('flag:manage')
  return (
    <>
      <PageHeader
        title={flag.key}
        description={flag.description}
        marks={
          <>
            <FlagSwitch flag={flag} isReadOnly={!canManage} />
            {flag.client_side && (
              <Badge variant="default" tt="none" fw={500}>
                {t('flags.clientSide')}
              </Badge>
            )}
          </>
        }
        actions={canManage && <FlagActions flag={flag} />}
      />
      <Stack>
        <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
          <Stack>
            <Variants flag={flag} />
            <Rules flag={flag} canManage={canManage} />
          </Stack>
          <Stack>
            <Explain flag={flag} />
            <Overrides flag={flag} />
          </Stack>
        </SimpleGrid>
      </Stack>
    </>
  )
}

const Variants = ({ flag: { type, variants, default_variant, off_variant } }: OfFlag) => {
  const { t } = useTranslation()
  const usesOf = (name: string): string =>
    [
      ...(name === default_variant ? [t('flags.isDefault')] : []),
      ...(name === off_variant ? [t('flags.isOff')] : []),
    ].join(' · ')
  return (
    <SectionCard title={t('flags.variants')} hint={t(`flagTypes.${type}`)}>
      <Table>
        <Table.Tbody>
          {Object.entries(variants).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Text size="sm" fw={500} className="breakable">
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {usesOf(name)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Code className="whole">{JSON.stringify(value)}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </SectionCard>
  )
}

const Rules = ({ flag, canManage }: OfFlag & { canManage: boolean }) => {
  const { t } = useTranslation()
  const [isEdited, setEdited] = useState(false)
  return (
    <SectionCard title={t('flags.rules')} hint={t('flags.rulesHint')}>
      {isEdited ? (
        <RulesEditor flag={flag} onClose={() => setEdited(false)} />
      ) : (
        <Stack gap="sm">
          {flag.rules.map((rule, index) => (
            <RuleLine key={rule.id} rule={rule} number={index + 1} />
          ))}
          <Text size="sm" c="dimmed">
            {t(flag.rules.length === 0 ? 'flags.noRules' : 'flags.otherwise', {
              variant: flag.default_variant,
            })}
          </Text>
          {canManage && (
            <Group>
              <Button variant="default" onClick={() => setEdited(true)}>
                {t('flags.editRules')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </SectionCard>
  )
}

const RuleLine = ({ rule, number }: { rule: FlagRule; number: number }) => {
  const { t } = useTranslation()
  const { conditions, serve, split, bucket_by: attribute, description } = rule
  const wanted = conditions.map(({ attribute: name, op, values }) =>
    [
      name,
      t(`flagOperators.${op}`),
      values.map((value) => typedOf({ attribute: name, op }, value)).join(', '),
    ]
      .join(' ')
      .trim(),
  )
  const shares = split?.map(({ variant, weight }) => `${variant} ${weight / 1000} %`).join(', ') ?? ''
  return (
    <div>
      <Text size="sm" fw={500}>
        {t('flags.rule', { number })}
        {description !== '' && `: ${description}`}
      </Text>
      <Text size="sm" className="breakable">
        {wanted.length === 0 ? t('flags.always') : wanted.join(` ${t('flags.and')} `)}
        {' → '}
        {serve ?? t('flags.splitBy', { shares, attribute })}
      </Text>
    </div>
  )
}

const FlagActions = ({ flag }: OfFlag) => {
  const { t } = useTranslation()
  const { key } = flag
  return (
    <>
      <MoreMenu
        actions={[
          deletion({
            title: t('flags.deleteOne', { key }),
            confirm: t('flags.delete'),
            word: key,
            send: () => client.flags.delete(key),
            leaveTo: '/flags',
            done: t('flags.deleted', { key }),
            children: t('flags.deleteText'),
          }),
        ]}
      />
      <DialogButton variant="default" label={t('flags.edit')}>
        {(onClose) => <EditDialog flag={flag} onClose={onClose} />}
      </DialogButton>
    </>
  )
}
