import type { AuditLog } from '@tenantry/client'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'

/** A record with the present names of its users. The record itself has the usernames of its time. */
export interface NamedLog extends AuditLog {
  present?: { actor: string | undefined; subject: string | undefined } | undefined
}

const usernameBeside = (shown: string | undefined, username = ''): string | undefined =>
  shown !== undefined && username !== '' && shown !== isolated(username) ? username : undefined

/** The e-mail of a person who used a setup link, and has no user here. */
const guestOf = ({ resource, detail }: NamedLog): string | undefined => {
  const { email } = detail as { email?: { to?: unknown } }
  return resource === 'setup_link' && typeof email?.to === 'string' ? isolated(email.to) : undefined
}

/** The acting user's present name, or the name at the time of the record. Older records have only the number. */
export const useActors = () => {
  const { t } = useTranslation()
  const notes = { service_account: t('places.serviceAccount'), platform: t('shell.platform') }
  return {
    nameOf: (record: NamedLog): string => {
      const { user_id: id, actor, present } = record
      if (id === 0) return guestOf(record) ?? t('common.nobody')
      return present?.actor || actor?.name || t('common.userNumber', { id })
    },
    /** Describes an actor who is not a user of the tenant, or works as another user. Else the recorded username. */
    noteOf: ({ actor, present }: NamedLog): string | undefined =>
      actor?.on_behalf_of
        ? t('common.asUser', { name: actor.on_behalf_of.name })
        : (notes[actor?.kind as keyof typeof notes] ?? usernameBeside(present?.actor, actor?.name)),
  }
}
