/** Support sessions, as people open them. */
import { ok, type Session } from '../../../lab/client.ts'
import { byToken, within, type Careful, type Company } from './stage.ts'

export const sessions = '/support/sessions'

export const asked = { kind: 'act', reason: 'A proof', minutes: 30 }

export interface Supported {
  company: Company
  /** As whom staff works. */
  user: Session
  staff: Careful
}

/** A question that the user has allowed. Resolves with its id. */
const allowed = async ({ company, user, staff }: Supported, fields: object = {}): Promise<string> => {
  const body = { user_id: user.userId, ...asked, ...fields }
  const { id } = ok(await within(staff, company.id).call('POST', sessions, body))
  ok(await user.call('POST', `${sessions}/${id}/decide`, { allow: true }))
  return id
}

/** An active support session, and the caller in it. */
export const openSupport = async (scene: Supported, fields: object = {}) => {
  const id = await allowed(scene, fields)
  const { company, user, staff } = scene
  const { access_token: token } = ok(await within(staff, company.id).call('POST', `${sessions}/${id}/token`))
  return { id, session: byToken(user, token) }
}
