import { patiently, refuteNothing, removeTenants } from '../../attack.ts'
import { newTenant, newUser, ok, type Answer, type Session } from '../../client.ts'
import { isAboutAccount, readOperations, type Operation } from '../../operations.ts'
import { addApp, challengeFor, giveFactor } from '../../second-factor.ts'
import { knock } from '../../knock.ts'
import type { Prove } from '../../suite.ts'
import type { Stage } from './stage.ts'

const wrongAnswersMax = 5
const codes = { wrong: 40109, dead: 40110, mfaRequired: 40316, restricted: 40315 }

const count = (answers: Answer[], code: number): number =>
  answers.filter(({ body }) => body?.code === code).length

/** Guesses at one challenge, many at once: no more than five of them are looked at. */
const proveBound = async (user: Session): Promise<string> => {
  const app = await addApp(user)
  const challenge = await challengeFor(user)
  const code = app.wrongCode()
  const guesses = await Promise.all(Array.from({ length: 20 }, () => giveFactor(user, { challenge, code })))
  const [looked, refused] = [count(guesses, codes.wrong), count(guesses, codes.dead)]
  if (looked !== wrongAnswersMax || looked + refused !== guesses.length) {
    throw new Error(`of ${guesses.length} guesses at once ${looked} were looked at, ${refused} refused`)
  }
  const late = await giveFactor(user, { challenge, code: app.nextCode() })
  if (late.body?.code !== codes.dead) throw new Error(`the right code came too late, and got ${late.status}`)
  return `${guesses.length} guesses at once: ${looked} were looked at, and the right code came too late`
}

/** One code in several sign-ins at once opens one session, and so does one recovery code. */
const proveOnce = async (user: Session): Promise<string> => {
  const app = await addApp(user)
  const width = 5
  const kinds = { code: app.nextCode(), recovery_code: app.recoveryCodes[0] }
  for (const [kind, value] of Object.entries(kinds)) {
    const challenges: string[] = []
    for (let n = 0; n < width; n += 1) challenges.push(await challengeFor(user))
    const answers = await Promise.all(
      challenges.map((challenge) => giveFactor(user, { challenge, [kind]: value })),
    )
    const opened = answers.filter(({ status }) => status === 200).length
    if (opened !== 1) throw new Error(`one ${kind} in ${width} sign-ins at once opened ${opened} sessions`)
  }
  return `a code and a recovery code, each in ${width} sign-ins at once: one session each`
}

/** A stolen session changes no factor without the password. */
const proveStolen = async (user: Session): Promise<string> => {
  const app = await addApp(user)
  const read = async () => JSON.stringify(ok(await patiently(() => user.call('GET', '/auth/factors'))))
  const before = await read()
  const paths = ['totp', 'passkey/options', `${app.id}/remove`, 'recovery-codes']
  const breaches: string[] = []
  for (const path of paths) {
    const body = { name: 'x', password: 'not the password' }
    const { status } = await patiently(() => user.call('POST', `/auth/factors/${path}`, body))
    // 403: an installation without passkeys.
    if (status !== 401 && !(status === 403 && path.startsWith('passkey'))) {
      breaches.push(`POST /auth/factors/${path} without the password answers ${status}`)
    }
  }
  if ((await read()) !== before) breaches.push('the factors are others than before')
  refuteNothing(breaches)
  return `${paths.length} changes refused, factors as before`
}

/** Lists the operations that a restricted session reaches beyond its own account, or is refused there. */
const misplaced = async (user: Session, operations: Operation[]): Promise<string[]> => {
  const breaches: string[] = []
  for (const operation of operations) {
    const { status, body } = await knock(user, operation)
    const isRestricted = status === 403 && body?.code === codes.restricted
    if (isRestricted === isAboutAccount(operation)) {
      breaches.push(`${operation.method} ${operation.path} answers ${status} ${body?.code}`)
    }
  }
  return breaches
}

const putSetting = (by: Session, value: boolean): Promise<Answer> =>
  patiently(() => by.call('PUT', '/settings/tenant/auth.require_second_factor', { value }))

/** Where a tenant asks for a second factor, a session without one reaches its own account alone. */
const proveRestricted = async ({ root, target }: Stage): Promise<string> => {
  const { id, admin } = await newTenant(root)
  try {
    const user = await newUser(root, id)
    const early = await putSetting(admin, true)
    if (early.body?.code !== codes.mfaRequired) {
      throw new Error(`the setting changes without mfa: ${early.status}`)
    }
    await addApp(admin)
    ok(await putSetting(admin, true))
    // Signing out ends the session that asks.
    const all = await readOperations(target.url)
    const operations = all.filter(({ path }) => !path.endsWith('/auth/logout'))
    const breaches = await misplaced(user, operations)
    const entering = await patiently(() => root.call('GET', '/users', undefined, { tenant: id }))
    if (entering.body?.code !== codes.restricted) {
      breaches.push(`a platform administrator without a second factor enters: ${entering.status}`)
    }
    refuteNothing(breaches)
    return `${operations.length} operations, those of the own account served, all others refused`
  } finally {
    await removeTenants(root, [id])
  }
}

export const proveFactors = async (stage: Stage, prove: Prove): Promise<void> => {
  const user = () => newUser(stage.root, stage.tenant)
  await prove('a challenge bears five wrong answers, also at once', async () => proveBound(await user()))
  await prove('a code of a second factor opens one session', async () => proveOnce(await user()))
  await prove('a stolen session changes no factor', async () => proveStolen(await user()))
  await prove('a tenant that asks for a second factor serves no session without one', () =>
    proveRestricted(stage),
  )
}
