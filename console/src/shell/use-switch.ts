import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useErrorText } from '../components/error-text.ts'
import { mayLeave } from '../components/unsaved-work.ts'
import { client, reportSwitch, signOut } from '../session/client.ts'
import { membershipsQuery, useOwnTenants } from '../session/me.ts'
import { useTranslation } from '../translation.ts'

/** The person's own tenants. In another tenant the person is another user, and needs another session. */
export const useSwitch = () => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const queries = useQueryClient()
  const own = useOwnTenants()
  const needsSwitch = (tenantId: string): boolean =>
    own.some(({ tenant, is_current: isCurrent }) => tenant.id === tenantId && !isCurrent)
  /** First asks about unsaved work, because it belongs to the current tenant. */
  const switchTo = async (tenantId: string): Promise<void> => {
    if (!(await mayLeave())) return
    try {
      await client.auth.switchTenant({ tenant_id: tenantId })
      reportSwitch()
    } catch (err) {
      // The list of tenants has closed, so the page has no place that could show the reason.
      const closeButtonProps = { 'aria-label': t('common.close') }
      notifications.show({ color: 'red', message: textOf(err), autoClose: false, closeButtonProps })
      await queries.invalidateQueries({ queryKey: membershipsQuery.queryKey })
    }
  }
  return { own, needsSwitch, switchTo }
}

/** First asks about unsaved work, because it cannot be saved without a session. */
export const askAndSignOut = async (): Promise<void> => {
  if (await mayLeave()) await signOut()
}
