import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { ApprovalPolicy } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Table } from '../../components/table.tsx'
import { builtInTenantId } from '../../session/built-in.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useOperationName, useOperations } from './approval-parts.tsx'
import { usePolicies } from './approvals.queries.ts'
import type { Operation } from './approvals.search.ts'

const PolicyDialog = lazyPart(async () => (await import('./policy-dialog.tsx')).PolicyDialog)

/** All operations, with the approvals that each needs. */
export const Policies = () => {
  const { t } = useTranslation()
  const { tenantId, isOwn } = useScope()
  const { can } = useMe()
  const operations = useOperations(tenantId === builtInTenantId)
  const mayChange = isOwn && can('approval:manage')
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('approvals.policiesText')}
      </Text>
      <Loaded query={usePolicies()} height={480}>
        {(policies) => (
          <Table aria-label={t('approvals.policies')}>
            <PolicyHead mayChange={mayChange} />
            <Table.Tbody>
              {operations.map((operation) => (
                <PolicyRow
                  key={operation}
                  operation={operation}
                  policy={policies.find((one) => one.operation === operation)}
                  mayChange={mayChange}
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Loaded>
    </Stack>
  )
}

const PolicyHead = ({ mayChange }: Pick<PolicyRowProps, 'mayChange'>) => {
  const { t } = useTranslation()
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('approvals.operation')}</Table.Th>
        <Table.Th>{t('approvals.needed')}</Table.Th>
        {mayChange && (
          <Table.Th>
            <VisuallyHidden>{t('table.actions')}</VisuallyHidden>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  )
}

interface PolicyRowProps {
  operation: Operation
  policy: ApprovalPolicy | undefined
  mayChange: boolean
}

const PolicyRow = ({ operation, policy, mayChange }: PolicyRowProps) => {
  const { t, textsOf } = useTranslation()
  const nameOf = useOperationName()
  const hints: Record<string, string> = textsOf('approvalHints')
  return (
    <Table.Tr>
      <Table.Th fw={400}>
        <Text size="sm" fw={500}>
          {nameOf(operation)}
        </Text>
        <Text size="xs" c="dimmed">
          {hints[operation]}
        </Text>
      </Table.Th>
      <Table.Td>
        {policy ? <PolicyText policy={policy} /> : <Dimmed text={t('approvals.noPolicy')} />}
      </Table.Td>
      {mayChange && (
        <Table.Td>
          <PolicyButtons operation={operation} policy={policy} />
        </Table.Td>
      )}
    </Table.Tr>
  )
}

const Dimmed = ({ text }: { text: string }) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
)

const PolicyText = ({ policy }: { policy: ApprovalPolicy }) => {
  const { t } = useTranslation()
  const { approvals, permission_codes: codes, break_glass: breakGlass } = policy
  return (
    <Stack gap={2}>
      <Text size="sm">{t('approvals.people', { count: approvals })}</Text>
      {codes.length > 0 && (
        <Text size="xs" className="breakable">
          {t('approvals.onlyFor', { codes: codes.join(', ') })}
        </Text>
      )}
      {breakGlass && (
        <Text size="xs" c="dimmed">
          {t('approvals.glassAllowed')}
        </Text>
      )}
    </Stack>
  )
}

const PolicyButtons = ({ operation, policy }: Omit<PolicyRowProps, 'mayChange'>) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const name = useOperationName()(operation)
  const [isOpen, setOpen] = useState(false)
  const refusal = useFactorRefusal()
  const label = policy ? `${t('approvals.changePolicy')}: ${name}` : t('approvals.setPolicyOne', { name })
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button size="xs" variant="default" aria-label={label} onClick={() => setOpen(true)}>
        {t(policy ? 'approvals.changePolicy' : 'approvals.setPolicy')}
      </Button>
      {policy && (
        <ConfirmButton
          isDeletion
          size="xs"
          title={t('approvals.deleteTitle', { name })}
          confirm={t('approvals.deletePolicy')}
          refusal={refusal}
          label={`${t('approvals.deletePolicy')}: ${name}`}
          send={() => api.approvals.deletePolicy(operation)}
          done={t('approvals.policyDeleted')}
        >
          {t('approvals.deleteText')}
        </ConfirmButton>
      )}
      {isOpen && <PolicyDialog {...{ operation, policy }} onClose={() => setOpen(false)} />}
    </Group>
  )
}
