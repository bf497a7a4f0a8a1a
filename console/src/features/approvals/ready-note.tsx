import { Alert, Stack } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { TextLink } from '../../components/text-link.tsx'
import { useTranslation } from '../../translation.ts'
import { useOperationNames } from './approval-parts.tsx'
import { useApprovals, useIsOwn } from './approvals.queries.ts'

/** The caller's own approved changes, which nobody has carried out yet. */
export const ReadyNote = () => {
  const { t } = useTranslation()
  const namesOf = useOperationNames()
  const isOwn = useIsOwn()
  const own = useApprovals({ status: 'approved', size: 50 }).data?.items.filter(isOwn) ?? []
  if (own.length === 0) return null
  return (
    <Alert color="teal" icon={<IconCheck />} title={t('approvals.ready', { count: own.length })} mb="md">
      <Stack gap={4} align="flex-start">
        {own.map(({ id, operations, reason }) => (
          <TextLink
            key={id}
            to="/approvals/$approvalId"
            params={{ approvalId: String(id) }}
            size="sm"
            className="breakable"
          >
            {namesOf(operations)}: <bdi>{reason}</bdi>
          </TextLink>
        ))}
      </Stack>
    </Alert>
  )
}
