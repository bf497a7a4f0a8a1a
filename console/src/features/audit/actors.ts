import type { AuditLog } from '@tenantry/client'
import { useTranslation } from 'react-i18next'

/** Names the acting user or service account of a record as it was then. A record from before has only the number. */
export const useActors = () => {
  const { t } = useTranslation()
  const notes = { service_account: t('places.serviceAccount'), platform: t('audit.platform') }
  return {
    nameOf: ({ user_id: id, actor }: AuditLog): string =>
      id === 0 ? t('common.nobody') : actor?.name || t('common.userNumber', { id }),
    /** Tells another kind than a user of the tenant; undefined for a user. */
    noteOf: ({ actor }: AuditLog): string | undefined => notes[actor?.kind as keyof typeof notes],
  }
}
