import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Membership } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { client, reportSwitch, signOut } from '../../session/client.ts'
import { membershipsQuery } from '../../session/memberships.ts'

interface LeaveTenantProps {
  membership: Membership
  /** The tenant that the session switches to; undefined if all others are disabled. */
  next: Membership | undefined
  onClose: () => void
}

/**
 * Leaves the current tenant. Its session ends with the membership, so the person first switches to the next tenant.
 * Without a next one, the person is signed out.
 */
const leaveCurrent = async (id: string, nextId: string | undefined): Promise<void> => {
  if (nextId === undefined) {
    await client.auth.leaveTenant(id)
    return signOut()
  }
  await client.auth.switchTenant({ tenant_id: nextId })
  try {
    await client.auth.leaveTenant(id)
  } catch (err) {
    await client.auth.switchTenant({ tenant_id: id })
    throw err
  }
  return reportSwitch()
}

const useEffectText = ({ membership, next }: LeaveTenantProps): string => {
  const { t } = useTranslation()
  if (!membership.is_current) return ''
  return next ? t('memberships.goOnIn', { name: next.tenant.name }) : t('memberships.goOnNowhere')
}

export const LeaveTenant = (props: LeaveTenantProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const queries = useQueryClient()
  const { membership, next, onClose } = props
  const { id, name } = membership.tenant
  const effect = useEffectText(props)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      // The page then has another session and reloads, or shows the sign-in.
      if (membership.is_current) return leaveCurrent(id, next?.tenant.id)
      await client.auth.leaveTenant(id)
      onClose()
      notify(t('memberships.left', { name }))
      return queries.invalidateQueries({ queryKey: membershipsQuery.queryKey })
    },
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('memberships.leaveTitle', { name })}
      confirm={t('memberships.leaveOne', { name })}
      onConfirm={mutate}
      isPending={isPending}
      error={error}
    >
      {t('memberships.leaveText')} {effect}
    </ConfirmModal>
  )
}
