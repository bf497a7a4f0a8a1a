import { Badge, Group } from '@mantine/core'
import {
  IconAlarm,
  IconArrowBackUp,
  IconCheck,
  IconChecks,
  IconClock,
  IconMinus,
  IconPlus,
  IconX,
  type Icon,
} from '@tabler/icons-react'
import type { Approval } from '@tenantry/client'
import { Signed } from '../../components/status-badge.tsx'
import { useList } from '../../components/use-list.ts'
import { useTranslation } from '../../translation.ts'
import type { Operation, Status } from './approvals.search.ts'

const signs: Record<Status, Icon> = {
  pending: IconClock,
  approved: IconCheck,
  done: IconChecks,
  rejected: IconX,
  cancelled: IconArrowBackUp,
  expired: IconAlarm,
}

export const ApprovalBadge = ({ status }: Pick<Approval, 'status'>) => {
  const { t } = useTranslation()
  const isGood = status === 'approved' || status === 'done'
  return (
    <Signed
      sign={signs[status]}
      text={t(`approvalStatuses.${status}`)}
      className={isGood ? 'status-on' : 'status-off'}
    />
  )
}

export const DecisionBadge = ({ approve }: { approve: boolean }) => {
  const { t } = useTranslation()
  return approve ? (
    <Signed sign={IconCheck} text={t('approvals.approved')} className="status-on" />
  ) : (
    <Signed sign={IconX} text={t('approvals.rejected')} className="status-off" />
  )
}

/** The names of operations. An unknown one keeps its code. */
export const useOperationName = (): ((operation: string) => string) => {
  const { textsOf } = useTranslation()
  const names: Record<string, string> = textsOf('approvalOperations')
  return (operation) => names[operation] ?? operation
}

/** Only the built-in tenant has policies for these. */
const ofInstallation = /^(?:tenant|catalogue|application|global)\./

/** The operations that a tenant can make depend on approvals. */
export const useOperations = (isBuiltIn: boolean): Operation[] => {
  const { textsOf } = useTranslation()
  const { 'policy.change': _, ...names } = textsOf('approvalOperations')
  return (Object.keys(names) as Operation[]).filter((one) => isBuiltIn || !ofInstallation.test(one))
}

export const useOperationNames = (): ((operations: string[]) => string) => {
  const listOf = useList()
  const nameOf = useOperationName()
  return (operations) => listOf(operations.map(nameOf))
}

interface CodesProps {
  codes: string[]
  kind: 'gives' | 'takes'
}

/** Permissions that a change gives or takes. */
export const Codes = ({ codes, kind }: CodesProps) => {
  const { textsOf } = useTranslation()
  const names: Record<string, { name: string } | undefined> = textsOf('permissionTexts')
  const isGift = kind === 'gives'
  return (
    <Group gap={6}>
      {codes.map((code) => (
        <Badge
          key={code}
          variant="light"
          color={isGift ? 'teal' : 'red'}
          c="inherit"
          tt="none"
          fw={400}
          radius="sm"
          maw="100%"
          title={names[code]?.name}
          leftSection={isGift ? <IconPlus size={12} /> : <IconMinus size={12} />}
        >
          {code}
        </Badge>
      ))}
    </Group>
  )
}
