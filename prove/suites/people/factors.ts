import { createRemoteJWKSet, compactVerify, jwtVerify } from 'jose'
import { createAuthenticatorAt, type Authenticator, type Deceit } from '../../authenticator.ts'
import { patiently, refuteNothing } from '../../attack.ts'
import { newTenant, newUser, ok, openedBy, unique, type Answer, type Session } from '../../../lab/client.ts'
import { isAboutAccount, readOperations, type Operation } from '../../operations.ts'
import { awaitMail, mailsTo } from '../../mailbox.ts'
import { addApp, challengeFor } from '../../second-factor.ts'
import { knock } from '../../knock.ts'
import type { Prove } from '../../suite.ts'
import { anyone, codes, logIn, openSession, password, publicUrl, unlessCode, type Stage } from './stage.ts'

const wrongAnswersMax = 5
const wrongCodesMax = 20

/** Answers a challenge, from a source of its own. */
const giveFactor = (stage: Stage, body: object): Promise<Answer> => anyone(stage, '/auth/login/factor', body)

const count = (answers: Answer[], code: number): number =>
  answers.filter(({ body }) => body?.code === code).length

const newMember = ({ root, home }: Stage): Promise<Session> => newUser(root, home.id)

/** Guesses at one challenge, ten at once from ten sources: no more than five of them are looked at. */
const proveBound = async (stage: Stage): Promise<string> => {
  const user = await newMember(stage)
  const app = await addApp(user)
  const rounds = stage.short ? 2 : 3
  for (let round = 0; round < rounds; round += 1) {
    const challenge = await challengeFor(user)
    const code = app.wrongCode()
    const guesses = await Promise.all(
      Array.from({ length: 10 }, () => giveFactor(stage, { challenge, code })),
    )
    const [looked, refused] = [count(guesses, codes.factorWrong), count(guesses, codes.challengeDead)]
    if (looked !== wrongAnswersMax || looked + refused !== guesses.length) {
      throw new Error(`of ${guesses.length} guesses at once ${looked} were looked at, ${refused} refused`)
    }
    const late = await giveFactor(stage, { challenge, code: app.nextCode() })
    if (late.body?.code !== codes.challengeDead) {
      throw new Error(`the right code came too late, and got ${late.status}`)
    }
  }
  return `${rounds} × 10 guesses at once from 10 sources: 5 were looked at, and the right code came too late`
}

/** One code in several sign-ins at once opens one session, and so does one recovery code. */
const proveOnce = async (stage: Stage): Promise<string> => {
  const user = await newMember(stage)
  const app = await addApp(user)
  const width = 5
  const kinds = { code: app.nextCode(), recovery_code: app.recoveryCodes[0] }
  for (const [kind, value] of Object.entries(kinds)) {
    const challenges: string[] = []
    for (let n = 0; n <= width; n += 1) challenges.push(await challengeFor(user))
    const [last, ...first] = challenges
    const answers = await Promise.all(
      first.map((challenge) => giveFactor(stage, { challenge, [kind]: value })),
    )
    answers.push(await giveFactor(stage, { challenge: last, [kind]: value }))
    const opened = answers.filter(({ status }) => status === 200).length
    if (opened !== 1) throw new Error(`one ${kind} in ${answers.length} sign-ins opened ${opened} sessions`)
  }
  return `a code and a recovery code, each in ${width} sign-ins at once and once again: one session each`
}

/** A stolen session changes no factor without the password. */
const proveStolen = async (stage: Stage): Promise<string> => {
  const user = await newMember(stage)
  const app = await addApp(user)
  const read = async () => JSON.stringify(ok(await patiently(() => user.call('GET', '/auth/factors'))))
  const before = await read()
  const paths = ['totp', 'passkey/options', `${app.id}/remove`, 'recovery-codes']
  const breaches: string[] = []
  for (const path of paths) {
    for (const given of ['not the password', undefined]) {
      const body = { name: 'x', password: given }
      const { status } = await patiently(() => user.call('POST', `/auth/factors/${path}`, body))
      if (status !== (given === undefined ? 400 : 401)) {
        breaches.push(`POST /auth/factors/${path} without the password answers ${status}`)
      }
    }
  }
  if ((await read()) !== before) breaches.push('the factors are others than before')
  refuteNothing(breaches)
  return `${paths.length} changes refused, factors as before`
}

/** A person with a factor tries to change the factor of another person. */
const proveOthers = async (stage: Stage): Promise<string> => {
  const [user, victim] = [await newMember(stage), await newMember(stage)]
  const [own, theirs] = [await addApp(user), await addApp(victim)]
  const { status, body } = await user.call('POST', `/auth/factors/${theirs.id}/remove`, { password })
  if (body?.code !== codes.factorUnknown) throw new Error(`removing the factor of another answers ${status}`)
  const { factors } = ok(await victim.call('GET', '/auth/factors')) as { factors: { id: string }[] }
  if (factors.map(({ id }) => id).join() !== theirs.id) throw new Error('the factor of another is gone')
  const answer = await giveFactor(stage, { challenge: await challengeFor(victim), code: own.nextCode() })
  if (answer.body?.code !== codes.factorWrong) throw new Error(`the code of another answers ${answer.status}`)
  return 'the factor of another person was not removed, and an own code is wrong for their challenge'
}

/** Lists the operations that a restricted session reaches beyond its own account, or is refused there. */
const misplaced = async (user: Session, operations: Operation[]): Promise<string[]> => {
  const breaches: string[] = []
  for (const operation of operations) {
    const { status, body } = await knock(user, operation)
    const isRestricted = status === 403 && body?.code === codes.sessionRestricted
    if (isRestricted === isAboutAccount(operation)) {
      breaches.push(`${operation.method} ${operation.path} answers ${status} ${body?.code}`)
    }
  }
  return breaches
}

const putSetting = (by: Session, value: boolean): Promise<Answer> =>
  patiently(() => by.call('PUT', '/settings/tenant/auth.require_second_factor', { value }))

/** A verifier elsewhere, which knows only the published keys of the service. */
const offline = (base: string) => {
  const keys = createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`))
  const accepts = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    )
  return {
    byClaims: (token: string) => accepts(jwtVerify(token, keys, { issuer: publicUrl, audience: publicUrl })),
    bySignature: (token: string) => accepts(compactVerify(token, keys)),
  }
}

/** Where a tenant asks for a second factor, a session without one reaches only its own account. */
const proveRestricted = async ({ root, urls }: Stage): Promise<string> => {
  const { id, admin } = await newTenant(root)
  const user = await newUser(root, id)
  const early = await putSetting(admin, true)
  refuteNothing(unlessCode('changing the setting without mfa', early, codes.mfaRequired))
  await addApp(admin)
  ok(await putSetting(admin, true))
  // Signing out ends the session that asks.
  const all = await readOperations(urls[0] ?? '')
  const operations = all.filter(({ path }) => !path.endsWith('/auth/logout'))
  const breaches = await misplaced(user, operations)
  const entering = await patiently(() => root.call('GET', '/users', undefined, { tenant: id }))
  if (entering.body?.code !== codes.sessionRestricted) {
    breaches.push(`a platform administrator without a second factor enters: ${entering.status}`)
  }
  refuteNothing(breaches)
  return `${operations.length} operations, those of the own account served, all others refused`
}

const proveOffline = async (stage: Stage): Promise<string> => {
  const { id, admin } = await newTenant(stage.root)
  const user = await newUser(stage.root, id)
  await addApp(admin)
  ok(await putSetting(admin, true))
  const { token: restricted } = await openSession(stage, user.email, user.password)
  const breaches: string[] = []
  for (const url of stage.urls) {
    for (const [how, accepts] of Object.entries(offline(url))) {
      if (!(await accepts(user.token))) breaches.push(`${how}: a token from before is refused`)
      if (await accepts(restricted)) breaches.push(`${how}: a restricted token is accepted`)
    }
  }
  refuteNothing(breaches)
  return 'jose refuses a restricted token by its claims and by only its signature, and accepts a full one'
}

/** Adds a passkey; resolves with the authenticator that holds it. */
const addPasskey = async (
  user: Session,
  deceit: Deceit = {},
): Promise<{ keys: Authenticator; added: Answer }> => {
  const keys = createAuthenticatorAt(publicUrl)
  const options = ok(await user.call('POST', '/auth/factors/passkey/options', { password: user.password }))
  const response = keys.create(options, deceit)
  return { keys, added: await user.call('POST', '/auth/factors/passkey', { name: 'x', response }) }
}

/** Signs in with only a passkey. */
const byPasskey = async (stage: Stage, keys: Authenticator, deceit: Deceit = {}): Promise<Answer> => {
  const options = ok(await anyone(stage, '/auth/passkey/options', {}))
  return anyone(stage, '/auth/passkey', { response: keys.get(options, deceit) })
}

/** Signs in with the password, and a passkey as the second factor. */
const bySecondStep = async (
  stage: Stage,
  email: string,
  { keys, deceit }: { keys: Authenticator; deceit?: Deceit },
): Promise<Answer> => {
  const { data } = await logIn(stage, email, password)
  return giveFactor(stage, { challenge: data.challenge, passkey: keys.get(data.passkey_options, deceit) })
}

const deceits: Record<string, Deceit> = {
  'another origin': { origin: 'https://evil.example' },
  'a subdomain': { origin: 'https://sub.people.example.com' },
  'another port': { origin: `${publicUrl}:8443` },
  'no TLS': { origin: 'http://people.example.com' },
  'another RP ID': { rpId: 'evil.example' },
  'a person who did not prove themselves': { isUnverified: true },
  'the other ceremony': { type: 'webauthn.other' },
  'another challenge': { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
}

const provePasskeys = async (stage: Stage): Promise<string> => {
  const [user, victim] = [await newMember(stage), await newMember(stage)]
  const [{ keys: own, added }, { keys: theirs }] = [await addPasskey(user), await addPasskey(victim)]
  ok(added)
  const options = ok(await anyone(stage, '/auth/passkey/options', {}))
  const handle = theirs.get(options).response.userHandle
  const breaches: string[] = []
  const refuse = (what: string, { status, text }: Answer) => {
    if (status !== 401 && status !== 400) breaches.push(`${what} answers ${status} ${text.slice(0, 100)}`)
  }
  for (const [what, deceit] of Object.entries(deceits)) {
    refuse(`signing in with ${what}`, await byPasskey(stage, own, deceit))
    refuse(`a second step with ${what}`, await bySecondStep(stage, user.email, { keys: own, deceit }))
    const bare = await newMember(stage)
    refuse(`adding with ${what}`, (await addPasskey(bare, deceit)).added)
  }
  refuse('an own passkey under the name of another', await byPasskey(stage, own, { userHandle: handle }))
  refuse(
    'an own passkey in the second step of another',
    await bySecondStep(stage, victim.email, { keys: own }),
  )
  refuse('an answer that was given before', await replayed(stage, own))
  refuteNothing(breaches)
  ok(await byPasskey(stage, own))
  ok(await bySecondStep(stage, victim.email, { keys: theirs }))
  return `${Object.keys(deceits).length} deceits at 3 ceremonies, the passkey of another in 2, and a repeated answer: refused`
}

/** The second of two equal answers. */
const replayed = async (stage: Stage, keys: Authenticator): Promise<Answer> => {
  const response = keys.get(ok(await anyone(stage, '/auth/passkey/options', {})))
  ok(await anyone(stage, '/auth/passkey', { response }))
  return anyone(stage, '/auth/passkey', { response })
}

/** Wrong codes from changing sources close the account to codes, and to nothing else. */
const proveSources = async (stage: Stage): Promise<string> => {
  const user = await newMember(stage)
  const { keys } = await addPasskey(user)
  const app = await addApp(user)
  let guesses = 0
  while (guesses < wrongCodesMax) {
    const challenge = await challengeFor(user)
    const code = app.wrongCode()
    const answers = await Promise.all(
      Array.from({ length: wrongAnswersMax }, () => giveFactor(stage, { challenge, code })),
    )
    guesses += count(answers, codes.factorWrong)
    if (count(answers, codes.factorWrong) !== answers.length) {
      throw new Error(`after ${guesses} wrong codes: ${answers.map(({ status }) => status).join()}`)
    }
  }
  const answers = [{ code: app.nextCode() }, { recovery_code: app.recoveryCodes[0] ?? unique('x') }]
  for (const answer of answers) {
    const given = await giveFactor(stage, { challenge: await challengeFor(user), ...answer })
    refuteNothing(unlessCode(`a right code after ${guesses} wrong ones`, given, codes.tooManyCodes))
  }
  const { token } = await openedBy(user.base, ok(await bySecondStep(stage, user.email, { keys })), user)
  if (token === '') throw new Error('a passkey opened nothing')
  await awaitMail('many wrong codes', async () =>
    (await mailsTo(stage.mailbox, user.email)).find((mail) => mail.includes('Many wrong codes')),
  )
  return `${guesses} wrong codes from as many sources: right codes get 429, a passkey goes on, and the owner was told`
}

export const proveFactors = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('a challenge bears five wrong answers, also at once', () => proveBound(stage))
  await prove('a code of a second factor opens one session', () => proveOnce(stage))
  await prove('wrong codes from many sources close an account to codes', () => proveSources(stage))
  await prove('a stolen session changes no factor', () => proveStolen(stage))
  await prove('nobody removes or uses the factor of another person', () => proveOthers(stage))
  await prove('a passkey works only for its account and its origin', () => provePasskeys(stage))
  await prove('a tenant that asks for a second factor serves no session without one', () =>
    proveRestricted(stage),
  )
  await prove('an offline verifier refuses a restricted token', () => proveOffline(stage))
}
