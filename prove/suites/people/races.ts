import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { ok, openedBy, type Answer, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import * as people from './stage.ts'
import { newAddress, otherPassword, password, type Stage } from './stage.ts'

/** Prepares all rounds at once, since each waits for e-mails, and runs one after the other. */
const inRounds = async <T>(
  { short }: Stage,
  prepare: () => Promise<T>,
  run: (round: T) => Promise<string>,
): Promise<string> => {
  const rounds = await Promise.all(Array.from({ length: short ? 4 : 20 }, prepare))
  const seen = new Map<string, number>()
  for (const round of rounds) {
    const outcome = await run(round)
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  }
  return `${rounds.length} rounds: ${[...seen].map(([outcome, times]) => `${outcome} ${times}×`).join(', ')}`
}

/** Sends both at once; chance decides which of the two gets a head start. */
const atOnce = async (
  one: () => Promise<Answer>,
  other: () => Promise<Answer>,
): Promise<[Answer, Answer]> => {
  const lead = Math.random() * 60 - 30
  return Promise.all([sleep(Math.max(0, -lead)).then(one), sleep(Math.max(0, lead)).then(other)])
}

const proveAcceptances = (stage: Stage): Promise<string> =>
  inRounds(
    stage,
    async () => {
      const email = newAddress()
      return { email, token: await people.invite(stage, stage.home.admin, { email }) }
    },
    async ({ email, token }) => {
      const use = (given: string) => () => people.accept(stage, token, { password: given })
      const answers = await atOnce(use(password), use(otherPassword))
      // The later one finds a dead link, or an account with another password.
      const given = answers.map(({ status }) => status).join()
      if (!/^(?:200,40[01]|40[01],200)$/.test(given)) throw new Error(`two acceptances answer ${given}`)
      const isFirst = answers[0].status === 200
      const open = [password, otherPassword].map((one) => people.logIn(stage, email, one))
      const statuses = (await Promise.all(open)).map(({ status }) => status).join()
      if (statuses !== (isFirst ? '200,401' : '401,200')) throw new Error(`the passwords answer ${statuses}`)
      return 'one was accepted'
    },
  )

const resetTo = 'a password by the link'
const changeTo = 'a password by the profile'

/** The link and the change of the password each end the other. */
const proveResets = (stage: Stage): Promise<string> =>
  inRounds(
    stage,
    async () => {
      const person = await people.newPerson(stage)
      return { person, token: await people.resetToken(stage, person.email) }
    },
    async ({ person, token }) => {
      const change = { old_password: password, new_password: changeTo }
      const by = person.at(people.nextUrl(stage))
      const answers = await atOnce(
        () => people.reset(stage, token, resetTo),
        () => by.call('POST', '/password', change),
      )
      const isReset = answers[0].status === 200
      const given = answers.map(({ status }) => status).join()
      if (!/^(?:200,401|400,200)$/.test(given)) throw new Error(`reset and change answer ${given}`)
      const open = [resetTo, changeTo, password].map((one) => people.logIn(stage, person.email, one))
      const statuses = (await Promise.all(open)).map(({ status }) => status).join()
      const expected = isReset ? '200,401,401' : '401,200,401'
      if (statuses !== expected) throw new Error(`the passwords answer ${statuses}`)
      if (isReset) await requireRefused(person, 'a session from before the reset')
      return isReset ? 'the link was first' : 'the change was first'
    },
  )

/** Ends are refused at once at the replica that made them, and within 2 s at others. */
const requireRefused = async (session: Session, what: string): Promise<void> => {
  let status = 200
  for (const deadline = Date.now() + 2000; Date.now() < deadline && status !== 401; await sleep(20)) {
    status = (await session.call('GET', '/profile')).status
  }
  if (status !== 401) refuteNothing([`${what} answers ${status}`])
}

/** A person switches to a tenant while its administrator removes them there. */
const proveSwitches = (stage: Stage): Promise<string> =>
  inRounds(
    stage,
    async () => {
      const person = await people.newPerson(stage)
      return { person, joined: await people.joinTenant(stage, person, stage.other) }
    },
    async ({ person, joined }) => {
      const by = person.at(people.nextUrl(stage))
      const admin = stage.other.admin.at(stage.urls.at(-1) ?? '')
      const answers = await atOnce(
        () => by.call('POST', '/auth/switch', { tenant_id: stage.other.id }),
        () => admin.call('DELETE', `/users/${joined.userId}`),
      )
      ok(answers[1])
      await requireRefused(joined, 'a session of the removed user')
      const [{ status, data }] = answers
      if (status !== 200) {
        if (status !== 404) throw new Error(`the switch answers ${status}`)
        return 'the removal was first'
      }
      const opened: Pick<Session, 'call'> | undefined = await openedBy(by.base, data, person).catch(
        () => undefined,
      )
      if (opened) throw new Error('the switched session is served after the membership has ended')
      const { status: refreshed } = await people.anyone(stage, '/auth/refresh', {
        refresh_token: data.refresh_token,
      })
      if (refreshed !== 401) throw new Error(`the switched session is refreshed: ${refreshed}`)
      return 'the switch was first'
    },
  )

export const proveRaces = async (stage: Stage, prove: Prove): Promise<void> => {
  await Promise.all([
    prove('of two acceptances of an invitation at once one succeeds', () => proveAcceptances(stage)),
    prove('of a reset and a password change at once one succeeds', () => proveResets(stage)),
    prove('a switch while the membership ends opens no session that stays', () => proveSwitches(stage)),
  ])
}
