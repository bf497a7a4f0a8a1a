import { Group, Skeleton, Stack, Text } from '@mantine/core'
import type { Permission, User } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useErrorText } from '../../components/error-text.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { nameOf, useRolesOf } from '../users/user-queries.ts'
import { effectOf, type Change } from './role-draft.ts'
import { useHolders } from './role-queries.ts'

interface ReviewHoldersProps {
  change: Change
  changes: Change[]
}

/** What each of them gains and loses takes a request a holder. */
const shownHolders = 8

/** The first holders of a role, with what they gain and lose by the change, and how many there are beyond. */
export const ReviewHolders = ({ change, changes }: ReviewHoldersProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { can } = useMe()
  const { data, error } = useHolders(change.role.id, { size: shownHolders })
  if (!can('user:read')) return <Line>{t('roles.holdersHidden')}</Line>
  if (!data) return error ? <ErrorPanel error={error} /> : <Skeleton height={60} />
  const { items, total, isCapped } = data
  const more = total - items.length
  return (
    <Stack gap={6}>
      <Line>
        {t('roles.holders', { count: total, said: `${format.count(total)}${isCapped ? '+' : ''}` })}
      </Line>
      {items.map((user) => (
        <Holder key={user.id} user={user} change={change} changes={changes} />
      ))}
      {more > 0 && (
        <Line>{t('roles.more', { count: more, said: `${format.count(more)}${isCapped ? '+' : ''}` })}</Line>
      )}
    </Stack>
  )
}

const Line = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

const Holder = ({ user, change, changes }: ReviewHoldersProps & { user: User }) => (
  <Group justify="space-between" align="flex-start" gap="xs">
    <Group gap="xs" wrap="nowrap" miw={0}>
      <TextLink
        to="/users/$userId"
        params={{ userId: String(user.id) }}
        search={{ tab: 'access' }}
        target="_blank"
        size="sm"
        className="cut"
        title={nameOf(user)}
      >
        {nameOf(user)}
      </TextLink>
      {user.status === 0 && <StatusBadge status={0} />}
    </Group>
    <Effect user={user} change={change} changes={changes} />
  </Group>
)

const names = (permissions: Permission[]): string => permissions.map(({ name }) => name).join(', ')

const Effect = ({ user, change, changes }: ReviewHoldersProps & { user: User }) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { data, error } = useRolesOf(user.id)
  if (!data) return error ? <Line>{textOf(error)}</Line> : <Skeleton height={20} width={160} />
  const { gained, lost } = effectOf(data, change, changes)
  if (gained.length + lost.length === 0) return <Line>{t('roles.unaffected')}</Line>
  return (
    <Stack gap={0}>
      {gained.length > 0 && (
        <Text size="sm" c="var(--text-good)">
          {t('roles.gains', { names: names(gained) })}
        </Text>
      )}
      {lost.length > 0 && (
        <Text size="sm" c="var(--text-bad)">
          {t('roles.loses', { names: names(lost) })}
        </Text>
      )}
    </Stack>
  )
}
