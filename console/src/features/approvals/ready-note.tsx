import { Alert, Stack } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { TextLink } from '../../components/text-link.tsx'
import { useTranslation } from '../../translation.ts'
import { useChangeName } from './change-name.ts'
import { useApprovals, useIsOwn } from './approvals.queries.ts'

/** The caller's own approved changes, which nobody has carried out yet. */
export const ReadyNote = () => {
  const { t } = useTranslation()
  const nameOf = useChangeName()
  const isOwn = useIsOwn()
  const own = useApprovals({ status: 'approved', size: 50 }).data?.items.filter(isOwn) ?? []
  if (own.length === 0) return null
  return (
    <Alert color="teal" icon={<IconCheck />} title={t('approvals.ready', { count: own.length })} mb="md">
      <Stack gap={4} align="flex-start">
        {own.map((approval) => (
          <TextLink
            key={approval.id}
            to="/approvals/$approvalId"
            params={{ approvalId: String(approval.id) }}
            size="sm"
            className="breakable"
          >
            {nameOf(approval)}: <bdi>{approval.reason}</bdi>
          </TextLink>
        ))}
      </Stack>
    </Alert>
  )
}
