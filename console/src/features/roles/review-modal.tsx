import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Permission } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { useErrorText } from '../../components/error-text.ts'
import { useBulk } from '../../components/use-bulk.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { ReviewHolders } from './review-holders.tsx'
import { effectOf, type Change } from './role-draft.ts'
import { useRenewRoles } from './role-queries.ts'

interface ReviewModalProps {
  changes: Change[]
  onSaved: (changes: Change[]) => void
  onClose: () => void
}

/** Who gains and who loses what, before it is so; saved role by role, each with what came of it. */
export const ReviewModal = ({ changes: present, onSaved, onClose }: ReviewModalProps) => {
  const { t } = useTranslation()
  // What was looked at stays in sight while it is saved, and is no change any more.
  const [changes] = useState(present)
  const { state, save, stop } = useSave(changes, onSaved, onClose)
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
        <OwnLoss changes={changes} />
        {changes.map((change, index) => (
          <ReviewedRole key={change.role.id} change={change} changes={changes}>
            {index < state.done && (
              <Outcome failure={state.failures.find(({ item }) => item === change)?.error} />
            )}
          </ReviewedRole>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={isRunning ? stop : onClose}>
            {t(isRunning ? 'common.stop' : isOver ? 'common.close' : 'common.cancel')}
          </Button>
          {!isOver && (
            <Button loading={isRunning} onClick={() => void save()}>
              {t('roles.save', { count: changes.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

const useSave = (changes: Change[], onSaved: (changes: Change[]) => void, onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewRoles()
  const { state, run, stop } = useBulk<Change>()
  const write = async ({ role, added, removed }: Change): Promise<void> => {
    // On what the role permits by now: the whole set is replaced, and somebody else may have changed it meanwhile.
    const ids = new Set((await api.roles.permissions(role.id)).map(({ id }) => id))
    for (const { id } of added) ids.add(id)
    for (const { id } of removed) ids.delete(id)
    await api.roles.replacePermissions(role.id, [...ids])
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

/** Whoever takes a permission from themselves may not be able to give it back. */
const OwnLoss = ({ changes }: { changes: Change[] }) => {
  const { t } = useTranslation()
  const { roles } = useMe()
  const lost = changes
    .filter(({ role }) => roles.some(({ id }) => id === role.id))
    .flatMap((change) => effectOf(roles, change, changes).lost)
  if (lost.length === 0) return null
  return (
    <Alert color="yellow" title={t('roles.ownLoss')}>
      {lost.map(({ name }) => name).join(', ')}
    </Alert>
  )
}

interface ReviewedRoleProps {
  change: Change
  changes: Change[]
  /** What came of saving it. */
  children: ReactNode
}

const ReviewedRole = ({ change, changes, children }: ReviewedRoleProps) => {
  const { t } = useTranslation()
  const { role, added, removed } = change
  return (
    <Card withBorder padding="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h5" className="breakable">
          {role.name}
        </Title>
        <Changed sign="+" label={t('roles.added')} color="var(--text-good)" permissions={added} />
        <Changed sign="−" label={t('roles.removed')} color="var(--text-bad)" permissions={removed} />
        <ReviewHolders change={change} changes={changes} />
        {children}
      </Stack>
    </Card>
  )
}

interface ChangedProps {
  sign: string
  label: string
  color: string
  permissions: Permission[]
}

const Changed = ({ sign, label, color, permissions }: ChangedProps) => {
  if (permissions.length === 0) return null
  return (
    <Stack gap={2} role="list" aria-label={label}>
      {permissions.map(({ id, name, code }) => (
        <Group key={id} gap="xs" role="listitem" wrap="nowrap">
          <Text size="sm" c={color} fw={600} ff="monospace">
            {sign}
          </Text>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {code}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
