import { createAuthenticatorAt } from '../../authenticator.ts'
import { refuteNothing } from '../../attack.ts'
import { ok, unique, type Session } from '../../../lab/client.ts'
import { mailedToken } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import * as people from './stage.ts'
import { anyone, codes, newAddress, otherPassword, password, publicUrl, type Stage } from './stage.ts'

/** Everything that an attacker has prepared in the account of a victim. */
interface Trap {
  email: string
  session: Session
  /** The token of a change to another mailbox, which waits to be confirmed. */
  change: string
  passkey: ReturnType<typeof createAuthenticatorAt>
  recoveryCode: string
  challenge: string
}

/** Prepares everything that a session of the account can. */
export const prepare = async (stage: Stage, session: Session): Promise<Trap> => {
  const { email } = session
  const mailbox = newAddress()
  ok(await session.call('POST', '/auth/email', { email: mailbox, password }))
  const passkey = createAuthenticatorAt(publicUrl)
  const options = ok(await session.call('POST', '/auth/factors/passkey/options', { password }))
  const body = { name: 'planted', response: passkey.create(options) }
  const { recovery_codes: recoveryCodes } = ok(await session.call('POST', '/auth/factors/passkey', body))
  const { data } = await people.logIn(stage, email, password)
  const byPasskey = await signInByPasskey(stage, passkey)
  if (byPasskey !== 200) throw new Error(`the planted passkey does not work: ${byPasskey}`)
  const change = await mailedToken(stage.mailbox, mailbox, 'verify-email')
  return { email, session, change, passkey, recoveryCode: recoveryCodes[0], challenge: data.challenge }
}

const signInByPasskey = async (stage: Stage, passkey: Trap['passkey']): Promise<number> => {
  const response = passkey.get(ok(await anyone(stage, '/auth/passkey/options', {})))
  return (await anyone(stage, '/auth/passkey', { response })).status
}

/** Nothing prepared opens the account after its owner has proved the mailbox and chosen a password. */
export const requireClean = async (stage: Stage, trap: Trap): Promise<void> => {
  const { email, session } = trap
  const owner = await people.openSession(stage, email, otherPassword)
  const { factors, recovery_codes_left: left } = ok(await owner.call('GET', '/auth/factors'))
  const statuses = {
    'the password': (await people.logIn(stage, email, password)).status,
    'a session': (await session.call('GET', '/profile')).status,
    'its refresh token': (await anyone(stage, '/auth/refresh', { refresh_token: session.refreshToken }))
      .status,
    'a challenge': (
      await anyone(stage, '/auth/login/factor', {
        challenge: trap.challenge,
        recovery_code: trap.recoveryCode,
      })
    ).status,
    'a passkey': await signInByPasskey(stage, trap.passkey),
  }
  const change = await owner.call('POST', '/auth/email/verify', { token: trap.change })
  refuteNothing([
    ...Object.entries(statuses)
      .filter(([, status]) => status !== 401)
      .map(([what, status]) => `${what} from before answers ${status}`),
    ...(change.body?.code === codes.linkDead ? [] : [`a change from before answers ${change.status}`]),
    ...(factors.length + left === 0 ? [] : ['second factors from before are left']),
  ])
}

const ended =
  'password, session, refresh token, challenge, passkey, recovery codes and change from before were dead'

/** The victim asks for a new password for an address that somebody else has registered. */
const proveRegistered = async (stage: Stage): Promise<string> => {
  const trap = await prepare(stage, await people.register(stage))
  ok(await people.reset(stage, await people.resetToken(stage, trap.email)))
  await requireClean(stage, trap)
  return `${ended} after a reset`
}

/** The victim is invited to another tenant than that of the administrator who made their account. */
const proveManaged = async (stage: Stage): Promise<string> => {
  const email = newAddress()
  ok(await stage.other.admin.call('POST', '/users', { email, username: unique('m'), password }))
  const trap = await prepare(stage, await people.openSession(stage, email))
  const token = await people.invite(stage, stage.home.admin, { email })
  ok(await people.accept(stage, token, { new_password: otherPassword }))
  await requireClean(stage, trap)
  return `${ended} after an invitation was accepted`
}

/** The victim keeps the given password, and confirms the address. */
const proveShared = async (stage: Stage): Promise<string> => {
  const planted = await people.register(stage)
  const mailbox = newAddress()
  ok(await planted.call('POST', '/auth/email', { email: mailbox, password }))
  const change = await mailedToken(stage.mailbox, mailbox, 'verify-email')
  const victim = await people.openSession(stage, planted.email)
  ok(await victim.call('POST', '/auth/email/verification'))
  const token = await mailedToken(stage.mailbox, planted.email, 'verify-email')
  ok(await victim.call('POST', '/auth/email/verify', { token }))
  const { status } = await planted.call('GET', '/profile')
  const moved = await victim.call('POST', '/auth/email/verify', { token: change })
  if (status !== 401) throw new Error(`a session from before answers ${status}`)
  if (moved.body?.code !== codes.linkDead) throw new Error(`a change from before answers ${moved.status}`)
  ok(await victim.call('GET', '/profile'))
  return 'the first confirmation ended the other session and the pending change, and kept its own session'
}

export const provePrepared = async (stage: Stage, prove: Prove): Promise<void> => {
  await Promise.all([
    prove('an account that somebody registered first is clean once its mailbox is proved', () =>
      proveRegistered(stage),
    ),
    prove('an account that an administrator made is clean once its mailbox is proved', () =>
      proveManaged(stage),
    ),
    prove('a confirmed address ends sessions and changes that somebody else began', () => proveShared(stage)),
  ])
}
