import { ActionIcon, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Role, User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { TablePager } from '../../components/table-pager.tsx'
import { UserLine } from '../../components/user-line.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useHolders, useLacking } from './roles.queries.ts'

const route = getRouteApi('/shell/roles/$roleId')

const TakeRole = lazyPart(async () => (await import('./roles.views.tsx')).TakeRole)
const AddHolders = lazyPart(async () => (await import('./add-holders.tsx')).AddHolders)

export const RoleHolders = ({ role }: { role: Role }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [leaving, setLeaving] = useState<User>()
  const [isAdding, setAdding] = useState(false)
  const canGive = useLacking()([role]).length === 0 && can('role:assign')
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          {t('roles.heldBy')}
        </Title>
        {canGive && can('user:read') && (
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {t('roles.add')}
          </Button>
        )}
      </Group>
      {can('user:read') ? (
        <HolderList role={role} canTake={canGive} onTake={setLeaving} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('roles.holdersHidden')}
        </Text>
      )}
      {isAdding && <AddHolders role={role} onClose={() => setAdding(false)} />}
      {leaving && <TakeRole role={role} user={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  )
}

interface HolderListProps {
  role: Role
  canTake: boolean
  onTake: (user: User) => void
}

const HolderList = ({ role, canTake, onTake }: HolderListProps) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const onPage = usePageChange()
  const holders = useHolders(role.id, search)
  if (!holders.data) {
    return holders.error ? (
      <ErrorPanel error={holders.error} onRetry={() => void holders.refetch()} />
    ) : (
      <Skeleton height={200} />
    )
  }
  if (holders.data.total === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('roles.heldByNobody')}
      </Text>
    )
  }
  return (
    <>
      <Stack gap="sm" style={{ opacity: holders.isPlaceholderData ? 0.6 : 1 }}>
        {holders.data.items.map((user) => (
          <Holder key={user.id} user={user} {...(canTake ? { onTake: () => onTake(user) } : {})} />
        ))}
      </Stack>
      <TablePager rows={holders} page={search} onPage={onPage} />
    </>
  )
}

const Holder = ({ user, onTake }: { user: User; onTake?: () => void }) => {
  const { t } = useTranslation()
  const label = t('roles.takeFrom', { name: nameOf(user) })
  return (
    <UserLine
      user={user}
      tab="access"
      title={t('roles.why')}
      action={
        onTake && (
          <ActionIcon variant="subtle" color="gray" aria-label={label} data-hint={label} onClick={onTake}>
            <IconX size={16} />
          </ActionIcon>
        )
      }
    />
  )
}
