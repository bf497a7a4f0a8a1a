import { rawStatus, refuteNothing } from '../../attack.ts'
import { ok, request, type Answer, type Session } from '../../../lab/client.ts'
import { mailedLink, mailedToken, mailsTo } from '../../mailbox.ts'
import { addApp, challengeFor } from '../../second-factor.ts'
import type { Prove } from '../../suite.ts'
import * as people from './stage.ts'
import { anyone, codes, newAddress, password, unlessCode, type Stage } from './stage.ts'

const verify = (by: Session, token: string): Promise<Answer> =>
  by.call('POST', '/auth/email/verify', { token })

/** The token that confirms the address of somebody who has registered. */
const verificationToken = async ({ mailbox }: Stage, user: Session): Promise<string> => {
  ok(await user.call('POST', '/auth/email/verification'))
  return mailedToken(mailbox, user.email, 'verify-email')
}

/** Asks for another address, and resolves with the token that was mailed to it. */
const changeToken = async ({ mailbox }: Stage, user: Session, email: string): Promise<string> => {
  ok(await user.call('POST', '/auth/email', { email, password: user.password }))
  return mailedToken(mailbox, email, 'verify-email')
}

/** Uses each link many times at once, and once again: one attempt succeeds, the others are refused alike. */
const proveOnce = async (stage: Stage): Promise<string> => {
  const [person, registered, moving] = await Promise.all([
    people.newPerson(stage),
    people.register(stage),
    people.register(stage),
  ])
  const [reset, verification, change, invitation] = await Promise.all([
    people.resetToken(stage, person.email),
    verificationToken(stage, registered),
    changeToken(stage, moving, newAddress()),
    people.invite(stage, stage.home.admin, { email: newAddress() }),
  ])
  const uses: Record<string, () => Promise<Answer>> = {
    'to a new password': () => people.reset(stage, reset),
    'that confirms an address': () => verify(registered, verification),
    'to another address': () => verify(moving, change),
    'of an invitation': () => people.accept(stage, invitation),
  }
  for (const [what, use] of Object.entries(uses)) {
    const answers = [...(await Promise.all([use(), use(), use(), use(), use()])), await use()]
    const [used, dead] = [
      answers.filter(({ status }) => status === 200).length,
      answers.filter(({ body }) => body?.code === codes.linkDead).length,
    ]
    if (used !== 1 || used + dead !== answers.length) {
      throw new Error(`a link ${what} answers ${answers.map(({ status }) => status).join()}`)
    }
  }
  return `${Object.keys(uses).length} kinds of link, each used 5 times at once and once again: one use of each`
}

/** A link is for one account and one purpose, and an attempt of another does not spend it. */
const proveOwnAccount = async (stage: Stage): Promise<string> => {
  const [owner, other] = await Promise.all([people.register(stage), people.register(stage)])
  const invited = newAddress()
  const [verification, change, reset, invitation] = await Promise.all([
    verificationToken(stage, owner),
    changeToken(stage, other, newAddress()),
    people.resetToken(stage, owner.email),
    people.invite(stage, stage.home.admin, { email: invited }),
  ])
  refuteNothing([
    ...unlessCode(
      'confirming the address of another',
      await verify(other, verification),
      codes.linkOfAnother,
    ),
    ...unlessCode('confirming a change of another', await verify(owner, change), codes.linkOfAnother),
    ...unlessCode(
      'an invitation of another',
      await people.accept(stage, invitation, {}, other),
      codes.invitationOfAnother,
    ),
    ...unlessCode('a password by a verification', await people.reset(stage, verification), codes.linkDead),
    ...unlessCode('a password by an invitation', await people.reset(stage, invitation), codes.linkDead),
    ...unlessCode('a verification by a reset', await verify(owner, reset), codes.linkDead),
    ...unlessCode('an acceptance by a reset', await people.accept(stage, reset), codes.linkDead),
  ])
  ok(await verify(owner, verification))
  ok(await verify(other, change))
  ok(await people.accept(stage, invitation))
  return '7 uses of another account or purpose refused; the links worked afterwards'
}

/** Somebody asks for the address of another person, who opens the link that they get. */
const proveClick = async (stage: Stage): Promise<string> => {
  const [attacker, victim] = await Promise.all([people.register(stage), people.newPerson(stage)])
  const [stranger, untouched] = [newAddress(), attacker.email]
  const token = await changeToken(stage, attacker, stranger)
  const unsigned = await anyone(stage, '/auth/email/verify', { token })
  const signedIn = await verify(victim, token)
  const { email } = ok(await attacker.call('GET', '/profile'))
  ok(await attacker.call('POST', '/auth/email', { email: victim.email, password }))
  if (unsigned.status !== 401) throw new Error(`without a session the link answers ${unsigned.status}`)
  refuteNothing(unlessCode('in the session of another', signedIn, codes.linkOfAnother))
  if (email !== untouched) throw new Error(`the account has the address ${email}`)
  const taken = await mailedToken(stage.mailbox, victim.email, 'verify-email')
  refuteNothing([
    ...unlessCode('the victim confirms', await verify(victim, taken), codes.linkOfAnother),
    ...unlessCode('the attacker confirms', await verify(attacker, taken), codes.emailTaken),
  ])
  ok(await victim.call('GET', '/profile'))
  return 'no click outside a session of the account moved it, and no taken address was given away'
}

/** A link to an earlier address is dead, also after an administrator changed the address. */
const proveChangedAddress = async (stage: Stage): Promise<string> => {
  const { admin } = stage.home
  const [self, managed] = await Promise.all([people.newPerson(stage), people.newPerson(stage)])
  const [own, theirs] = await Promise.all([
    people.resetToken(stage, self.email),
    people.resetToken(stage, managed.email),
  ])
  ok(await verify(self, await changeToken(stage, self, newAddress())))
  const pending = await changeToken(stage, managed, newAddress())
  ok(await admin.call('PUT', `/users/${managed.userId}`, { email: newAddress() }))
  refuteNothing([
    ...unlessCode('after an own change', await people.reset(stage, own), codes.linkDead),
    ...unlessCode('after a change by an administrator', await people.reset(stage, theirs), codes.linkDead),
    ...unlessCode('a pending change', await verify(managed, pending), codes.linkDead),
  ])
  return 'links to a new password and a pending change were dead after it'
}

const evil = 'evil.example'

/** Headers by which a request could claim another address of the service. */
const claims: [string, string][][] = [
  [['host', evil]],
  [['host', `people.example.com@${evil}`]],
  [
    ['x-forwarded-host', evil],
    ['x-forwarded-proto', 'http'],
  ],
  [['forwarded', `host=${evil};proto=http`]],
  [
    ['x-original-host', evil],
    ['x-host', evil],
    ['x-forwarded-server', evil],
  ],
  [
    ['origin', `https://${evil}`],
    ['referer', `https://${evil}/`],
  ],
]

const linkPattern = (page: string) =>
  new RegExp(String.raw`^https://people\.example\.com/sign-in/${page}#token=[\w-]+$`)

const requireOwnLink = async ({ mailbox }: Stage, email: string, page: 'reset-password' | 'verify-email') => {
  const { href } = await mailedLink(mailbox, email, page)
  if (!linkPattern(page).test(href)) throw new Error(`the link is ${href}`)
  if ((await mailsTo(mailbox, email)).some((mail) => mail.includes(evil))) {
    throw new Error('an e-mail names the host that a request claimed')
  }
}

const proveHost = async (stage: Stage): Promise<string> => {
  const asked = await Promise.all(claims.map(() => people.register(stage)))
  await Promise.all(
    claims.map(async (headers, at) => {
      const { email = '', token = '' } = asked[at] ?? {}
      const sent = { method: 'POST', headers, body: { email } }
      const status = await rawStatus(`${people.nextUrl(stage)}/api/v1/auth/password/forgot`, sent)
      if (status !== 200 && status !== 400) throw new Error(`${headers.join()} answers ${status}`)
      if (status === 400) return
      await requireOwnLink(stage, email, 'reset-password')
      const authorized: [string, string][] = [...headers, ['authorization', `Bearer ${token}`]]
      await rawStatus(`${people.nextUrl(stage)}/api/v1/auth/email/verification`, {
        method: 'POST',
        headers: authorized,
      })
      await requireOwnLink(stage, email, 'verify-email')
    }),
  )
  return `${claims.length} claims of another host: every link begins with the configured address`
}

const targets = [
  'redirect',
  'redirect_uri',
  'redirect_url',
  'return_to',
  'next',
  'continue',
  'callback',
  'url',
  'link',
]

/** The service has no parameter for a target: it ignores those that are usual elsewhere. */
const proveNoTarget = async (stage: Stage): Promise<string> => {
  const { email } = await people.register(stage)
  const extra = Object.fromEntries(targets.map((name) => [name, `https://${evil}/`]))
  const query = new URLSearchParams(extra).toString()
  const answers = [
    await anyone(stage, `/auth/password/forgot?${query}`, { email, ...extra }),
    await anyone(stage, `/auth/login?${query}`, { email, password, ...extra }),
    await anyone(stage, `/auth/password/reset?${query}`, { token: 'x', new_password: password, ...extra }),
  ]
  const led = answers.filter(
    ({ status, headers, text }) =>
      (status >= 300 && status < 400) || headers.has('location') || text.includes(evil),
  )
  refuteNothing(led.map(({ status, text }) => `${status} ${text}`))
  await requireOwnLink(stage, email, 'reset-password')
  const { text } = await request(people.nextUrl(stage), 'GET', '/openapi.json')
  const named = targets.slice(0, 7).filter((name) => text.includes(`"name":"${name}"`))
  refuteNothing(named.map((name) => `the API has a parameter ${name}`))
  return `${targets.length} usual parameters ignored; no answer and no link leads elsewhere`
}

/** Runs last, because it sets the clock of the service ahead by a week. */
const proveLate = async (stage: Stage): Promise<string> => {
  const [first, second, withApp, early, late] = await Promise.all([
    people.newPerson(stage),
    people.newPerson(stage),
    people.newPerson(stage),
    people.register(stage),
    people.register(stage),
  ])
  const [resets, verifications, invitations] = await Promise.all([
    Promise.all([first, second].map(({ email }) => people.resetToken(stage, email))),
    Promise.all([early, late].map((one) => verificationToken(stage, one))),
    Promise.all(
      [newAddress(), newAddress()].map((email) => people.invite(stage, stage.home.admin, { email })),
    ),
  ])
  const { recoveryCodes } = await addApp(withApp)
  const challenges = [await challengeFor(withApp), await challengeFor(withApp)]
  const at: Stage = { ...stage, urls: stage.urls.slice(0, 1) }
  const answer = (which: number) =>
    anyone(at, '/auth/login/factor', { challenge: challenges[which], recovery_code: recoveryCodes[which] })
  const confirm = async ({ email }: Session, token = '') => verify(await people.openSession(at, email), token)
  const [minute, hour] = [60, 3600]
  const limits: [string, number, number, (which: number) => Promise<Answer>][] = [
    ['a challenge', 5 * minute, codes.challengeDead, answer],
    [
      'a link to a new password',
      30 * minute,
      codes.linkDead,
      (which) => people.reset(at, resets[which] ?? ''),
    ],
    [
      'a link that confirms an address',
      24 * hour,
      codes.linkDead,
      (which) => confirm(which === 0 ? early : late, verifications[which]),
    ],
    ['an invitation', 7 * 24 * hour, codes.linkDead, (which) => people.accept(at, invitations[which] ?? '')],
  ]
  for (const [what, seconds, code, use] of limits) {
    await stage.setAhead(seconds - 2 * minute)
    ok(await use(0))
    await stage.setAhead(seconds + 2 * minute)
    refuteNothing(unlessCode(`${what} after its time`, await use(1), code))
  }
  return 'links and challenges worked two minutes before their end, and were dead two minutes after it'
}

export const proveLinks = async (stage: Stage, prove: Prove): Promise<void> => {
  await Promise.all([
    prove('a link works once, also at once', () => proveOnce(stage)),
    prove('a link works only for its account and its purpose', () => proveOwnAccount(stage)),
    prove('a victim who opens the link of an attacker gives nothing away', () => proveClick(stage)),
    prove('a link to an earlier address is dead', () => proveChangedAddress(stage)),
    prove('links begin with the configured address, whatever host a request names', () => proveHost(stage)),
    prove('no parameter of a request leads a link or an answer elsewhere', () => proveNoTarget(stage)),
  ])
}

export const proveLateLinks = (stage: Stage, prove: Prove): Promise<void> =>
  prove('a link and a challenge are dead when they are late', () => proveLate(stage))
