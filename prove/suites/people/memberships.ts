import { addRole, patiently, refuteNothing } from '../../attack.ts'
import { newUser, ok, openedBy, unique, type Session } from '../../../lab/client.ts'
import { mailedToken } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import { idsOf, userWith } from '../escalation/stage.ts'
import * as people from './stage.ts'
import { accept, codes, invite, newAddress, otherPassword, unlessCode, type Stage } from './stage.ts'

/** The inviter loses a permission, or the right to invite, before the invitation is accepted. */
const proveLoss = async (stage: Stage): Promise<string> => {
  const { root, permissions, home } = stage
  const tenant = home.id
  const held = idsOf(permissions, ['user:create', 'audit:read'])
  const { user: inviter, role } = await userWith(root, tenant, held)
  const { user: ending } = await userWith(root, tenant, held)
  const strong = await addRole(root, tenant, {
    name: unique('strong '),
    permissions: idsOf(permissions, ['audit:read']),
  })
  const [token, later, orphan] = await Promise.all(
    [inviter, inviter, ending].map((by) => invite(stage, by, { email: newAddress(), role_ids: [strong] })),
  )
  const setRole = async (left: string[]) => {
    const body = { permission_ids: idsOf(permissions, left) }
    ok(await root.call('PUT', `/rbac/roles/${role}/permissions`, body, { tenant }))
  }
  await setRole(['user:create'])
  const joined = await openedBy(inviter.base, ok(await accept(stage, token ?? '')), {
    email: '',
    password: '',
  })
  const { status } = await joined.call('GET', '/audit/logs')
  if (status !== 403) throw new Error(`the invited user reads the audit log: ${status}`)
  await setRole([])
  ok(await root.call('PUT', `/users/${ending.userId}`, { status: 0 }, { tenant }))
  const refused = [await accept(stage, later ?? ''), await accept(stage, orphan ?? '')]
  refuteNothing(
    refused
      .filter(({ body }) => body?.code !== codes.linkDead)
      .map(({ status: one }) => `an invitation answers ${one}`),
  )
  return 'a role whose permission the inviter lost was dropped; without the right to invite, or enabled, the link was dead'
}

/** An account that an administrator made gains no membership by the password that the administrator knows. */
const proveOwnership = async (stage: Stage): Promise<string> => {
  const prepared = await newUser(stage.root, stage.other.id)
  const token = await invite(stage, stage.home.admin, { email: prepared.email })
  for (const by of [undefined, prepared]) {
    const answer = await accept(stage, token, { password: prepared.password }, by)
    if (answer.body?.code !== codes.newPasswordNeeded) {
      throw new Error(`a prepared account joins: ${answer.status} ${answer.text}`)
    }
  }
  ok(await accept(stage, token, { new_password: otherPassword }))
  const { status } = await people.logIn(stage, prepared.email, prepared.password)
  const { status: held } = await prepared.call('GET', '/profile')
  if (status !== 401 || held !== 401) throw new Error(`what was prepared still opens it: ${status}, ${held}`)
  return 'neither its password nor a session of it was enough; the mailed link took a new password and ended both'
}

/** A session that a switch opened ends with the logout of the one it came from. */
const proveSwitch = async (stage: Stage): Promise<string> => {
  const person = await people.newPerson(stage)
  const joined = await people.joinTenant(stage, person, stage.other)
  const switchFrom = async (by: Session, tenant: string): Promise<Session> => {
    const pair = ok(await patiently(() => by.call('POST', '/auth/switch', { tenant_id: tenant })))
    return openedBy(by.base, pair, by)
  }
  const switched = await switchFrom(joined, stage.home.id)
  const again = await switchFrom(switched, stage.other.id)
  ok(await joined.call('POST', '/auth/logout'))
  const breaches: string[] = []
  for (const [what, one] of Object.entries({ switched, again })) {
    const { status } = await one.call('GET', '/profile')
    const { status: refreshed } = await one.call('POST', '/auth/refresh', { refresh_token: one.refreshToken })
    const { status: further } = await one.call('POST', '/auth/switch', { tenant_id: stage.home.id })
    if (status !== 401) breaches.push(`a session (${what}) answers ${status} after the logout`)
    if (refreshed !== 401) breaches.push(`a session (${what}) is refreshed after the logout: ${refreshed}`)
    if (further !== 401) breaches.push(`a session (${what}) switches after the logout: ${further}`)
  }
  const { status: own } = await person.call('GET', '/profile')
  if (own !== 200) breaches.push(`a session of another sign-in answers ${own}`)
  refuteNothing(breaches)
  return 'the logout ended two switched sessions, and no session of another sign-in'
}

/** The administrator of one tenant tries to change a person who also belongs to another. */
const proveTakeover = async (stage: Stage): Promise<string> => {
  const { home, other } = stage
  const person = await people.newPerson(stage, other)
  const joined = await people.joinTenant(stage, person, home)
  const { admin } = home
  const path = `/users/${joined.userId}`
  const created = { email: person.email, username: unique('u'), password: otherPassword }
  refuteNothing([
    ...unlessCode(
      'another address',
      await admin.call('PUT', path, { email: newAddress() }),
      codes.emailOfPerson,
    ),
    ...unlessCode('removing factors', await admin.call('DELETE', `${path}/factors`), codes.emailOfPerson),
    ...unlessCode(
      'inviting a user',
      await admin.call('POST', '/invitations', { email: person.email }),
      codes.emailTaken,
    ),
    ...unlessCode('a second account', await admin.call('POST', '/users', created), codes.emailTaken),
  ])
  ok(await admin.call('DELETE', path))
  await requireOwnInvitation(stage, person)
  return 'address, factors, a second account and a new invitation were refused; the link went only to the person'
}

/** Invited again, a person gets the link only by e-mail, and it takes only their password. */
const requireOwnInvitation = async (stage: Stage, person: Session): Promise<void> => {
  const [{ admin }, { email }] = [stage.home, person]
  const used = await mailedToken(stage.mailbox, email, 'accept-invitation')
  const invited = ok(await admin.call('POST', '/invitations', { email })) as { id: number; link: string }
  const first = await mailedToken(stage.mailbox, email, 'accept-invitation', used)
  const resent = ok(await admin.call('POST', `/invitations/${invited.id}/resend`)) as { link: string }
  if (invited.link + resent.link !== '') throw new Error('the link is shown to the administrator')
  const token = await mailedToken(stage.mailbox, email, 'accept-invitation', first)
  const guessed = await accept(stage, token, { password: otherPassword, new_password: otherPassword })
  refuteNothing([
    ...unlessCode('a link that was replaced', await accept(stage, first), codes.linkDead),
    ...unlessCode('a link with another password', guessed, codes.credentialsWrong),
  ])
  ok(await people.logIn(stage, email, person.password))
  ok(await person.call('GET', '/profile'))
}

/** Where the tenant is the only one of a person, its administrator may change the address, and gains no ownership. */
const proveSoleTenant = async (stage: Stage): Promise<string> => {
  const person = await people.newPerson(stage)
  const mailbox = newAddress()
  ok(await stage.home.admin.call('PUT', `/users/${person.userId}`, { email: mailbox }))
  const token = await invite(stage, stage.other.admin, { email: mailbox })
  const answer = await accept(stage, token, { password: person.password })
  if (answer.body?.code !== codes.newPasswordNeeded) throw new Error(`the account joins: ${answer.status}`)
  return 'an account whose address an administrator changed has no owner, and joins no other tenant'
}

export const proveMemberships = async (stage: Stage, prove: Prove): Promise<void> => {
  await Promise.all([
    prove('an invitation carries no permission that its inviter has lost', () => proveLoss(stage)),
    prove('an account without an owner gains no membership', () => proveOwnership(stage)),
    prove('a switched session ends with the logout of the one it came from', () => proveSwitch(stage)),
    prove('a tenant administrator takes no person over by address, factors or invitation', () =>
      proveTakeover(stage),
    ),
    prove('an address that an administrator changed has no owner', () => proveSoleTenant(stage)),
  ])
}
