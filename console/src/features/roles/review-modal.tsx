import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Client } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { ChangedPermissions } from './roles.views.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useErrorText } from '../../components/error-text.ts'
import { useBulk } from '../../components/use-bulk.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { usePreview } from '../authz/authz.queries.ts'
import { Effect } from '../authz/authz.views.tsx'
import type { RoleChange } from './role-draft.ts'
import { useRenew } from '../../components/use-renew.ts'

interface ReviewModalProps {
  changes: RoleChange[]
  onSaved: (changes: RoleChange[]) => void
  onClose: () => void
}

/** Shows which users gain and lose permissions. Then saves role by role, and shows each outcome. */
export const ReviewModal = ({ changes: present, onSaved, onClose }: ReviewModalProps) => {
  const { t } = useTranslation()
  // Saved changes leave the draft, but this window still shows them.
  const [changes] = useState(present)
  const { state, save, stop } = useSave(changes, onSaved, onClose)
  const preview = useEffectOf(changes)
  const { isRunning } = state
  const isOver = state.total > 0 && !isRunning
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('roles.reviewTitle')}
      size="lg"
      closeOnClickOutside={false}
      isPending={isRunning}
    >
      <Stack>
        {changes.map((change, index) => (
          <ReviewedRole key={change.role.id} change={change}>
            {index < state.done && (
              <Outcome failure={state.failures.find(({ item }) => item === change)?.error} />
            )}
          </ReviewedRole>
        ))}
        <Effect preview={preview} names={changes.map(({ role }) => role.name)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={isRunning ? stop : onClose}>
            {t(isRunning ? 'common.stop' : isOver ? 'common.close' : 'common.cancel')}
          </Button>
          {!isOver && (
            <Button loading={isRunning} disabled={!preview.isOpen} onClick={() => void save()}>
              {t('roles.save')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

/**
 * All permissions of a role after a change. Starts from the current permissions, because another user may have changed
 * them meanwhile.
 */
const wantedIds = async (api: Client, { role, added, removed }: RoleChange): Promise<number[]> => {
  const ids = new Set((await api.roles.permissions(role.id)).map(({ id }) => id))
  for (const { id } of added) ids.add(id)
  for (const { id } of removed) ids.delete(id)
  return [...ids]
}

const useEffectOf = (changes: RoleChange[]) => {
  const { api } = useScope()
  return usePreview(() =>
    Promise.all(
      changes.map(async (change) => ({
        kind: 'replace_permissions' as const,
        role_id: change.role.id,
        permission_ids: await wantedIds(api, change),
      })),
    ),
  )
}

const useSave = (changes: RoleChange[], onSaved: (changes: RoleChange[]) => void, onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const { state, run, stop } = useBulk<RoleChange>()
  const write = async (change: RoleChange): Promise<void> => {
    await api.roles.replacePermissions(change.role.id, await wantedIds(api, change))
  }
  const save = async (): Promise<void> => {
    const saved = await run(changes, write)
    onSaved(saved)
    await renew()
    if (saved.length < changes.length) return
    onClose()
    notify(t('roles.changed', { count: saved.length }))
  }
  return { state, save, stop }
}

const Outcome = ({ failure }: { failure: unknown }) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  return failure === undefined ? (
    <Group gap={4} c="var(--text-good)" role="status">
      <IconCheck size={16} />
      <Text size="sm">{t('roles.saved')}</Text>
    </Group>
  ) : (
    <Alert color="red" role="alert" title={t('common.failed')}>
      {textOf(failure)}
    </Alert>
  )
}

interface ReviewedRoleProps {
  change: RoleChange
  children: ReactNode
}

const ReviewedRole = ({ change, children }: ReviewedRoleProps) => {
  const { t } = useTranslation()
  const { role, added, removed } = change
  return (
    <Card withBorder padding="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h5" className="breakable">
          {role.name}
        </Title>
        <ChangedPermissions sign="+" label={t('roles.added')} color="var(--text-good)" permissions={added} />
        <ChangedPermissions
          sign="−"
          label={t('roles.removed')}
          color="var(--text-bad)"
          permissions={removed}
        />
        {children}
      </Stack>
    </Card>
  )
}
