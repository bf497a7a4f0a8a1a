import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { password } from '../../../../test/factories.ts'
import { call, type Running } from '../../../../test/harness.ts'
import type { Config } from '../../../config/config.ts'
import { createLogger } from '../../../log.ts'
import { systemCtx } from '../../../start/parts.ts'
import { createFirstAdmin } from './auth.service.ts'
import { credentials, postLogin, postRegister } from '../../../../test/accounts.ts'
import { openInstallation, startOn, type Installation } from '../../../../test/installation.ts'

let installation: Installation
let open: Running
let careful: Running

beforeAll(async () => {
  installation = await openInstallation()
  const { parts } = installation
  open = await startOn(parts)
  careful = await startOn({ ...parts, config: { ...parts.config, firstUserAdmin: false } })
})

afterEach(() => installation.empty())

afterAll(async () => {
  await open.app.close()
  await careful.app.close()
  await installation.remove()
})

const rolesOf = async (token: string): Promise<string[]> => {
  const { data: profile } = await call('GET', '/profile', { token, at: open })
  const path = `/rbac/users/${profile.id}/roles`
  const { data } = await call('GET', path, { token, tenant: profile.tenant_id, at: open })
  return data.map(({ name }: { name: string }) => name).toSorted()
}

const registerAt = async (at: Running): Promise<string[]> => {
  const answer = await postRegister(credentials(), { at })
  expect(answer).toMatchObject({ status: 200 })
  return rolesOf(answer.data.access_token)
}

describe('the first account', () => {
  test('the first account registered becomes platform administrator, the next ones members', async () => {
    expect(await registerAt(open)).toEqual(['member', 'platform-admin'])
    expect(await registerAt(open)).toEqual(['member'])
    expect(await registerAt(open)).toEqual(['member'])
  })

  test('the first account in production needs a password that is no common guess, and later ones do not', async () => {
    const { parts } = installation
    const at = await startOn({ ...parts, config: { ...parts.config, isProduction: true } })
    const weak = { ...credentials(), password: 'Password123!' }
    for (const guessed of [weak.password, weak.email.toUpperCase()]) {
      expect(await postRegister({ ...weak, password: guessed }, { at })).toMatchObject(refusalOf('password'))
    }
    expect(await registerAt(at)).toEqual(['member', 'platform-admin'])
    expect(await postRegister(weak, { at })).toMatchObject({ status: 200 })
    await at.app.close()
  })

  test('the log names the user who became platform administrator', async () => {
    const lines: string[] = []
    const log = createLogger('warn', { write: (line: string) => void lines.push(line) })
    const loud = await startOn({ ...installation.parts, log })
    const { data } = await postRegister(credentials(), { at: loud })
    const { data: profile } = await call('GET', '/profile', { token: data.access_token, at: loud })
    await postRegister(credentials(), { at: loud })
    await loud.app.close()
    const messages = lines.filter((line) => line.includes('platform administrator'))
    expect(messages).toHaveLength(1)
    expect(JSON.parse(messages[0] ?? '')).toMatchObject({ level: 'warn', userId: profile.id })
  })

  // Without the lock, about every second attempt would let two people be first.
  test.each([1, 2, 3, 4])(
    'exactly one of concurrent first registrations becomes platform administrator (%i)',
    async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => postRegister(credentials(), { at: open })),
      )
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [200, 0]))
      const roles = await Promise.all(answers.map(({ data }) => rolesOf(data.access_token)))
      expect(roles.filter((names) => names.includes('platform-admin'))).toHaveLength(1)
      expect(roles.filter((names) => names.length === 1 && names[0] === 'member')).toHaveLength(9)
    },
  )

  test('a first registration that is refused leaves the place of the administrator free', async () => {
    expect(await postRegister({ ...credentials(), username: '' }, { at: open })).toMatchObject({
      status: 400,
    })
    expect(await registerAt(open)).toContain('platform-admin')
  })

  test('the first account is no administrator with TENANTRY_FIRST_USER_ADMIN off', async () => {
    expect(await registerAt(careful)).toEqual(['member'])
  })

  test('a database that has any user makes no more administrators', async () => {
    await registerAt(careful)
    expect(await registerAt(open)).toEqual(['member'])
  })
})

describe('the answer to a stranger', () => {
  const registrationAt = async (changes: Partial<Config> = {}) => {
    const { parts } = installation
    const at = await startOn({ ...parts, config: { ...parts.config, ...changes } })
    return {
      running: at,
      ask: async () => (await call('GET', '/auth/registration', { at })).data,
      register: () => registerAt(at),
      close: () => at.app.close(),
    }
  }

  test('says that the first account becomes administrator, until there is one', async () => {
    const at = await registrationAt()
    expect(await at.ask()).toEqual({ open: true, first_becomes_admin: true })
    await at.register()
    expect(await at.ask()).toEqual({ open: true, first_becomes_admin: false })
    await at.close()
  })

  test('an installation with an account is never called empty again, without another query', async () => {
    await registerAt(careful)
    const at = await registrationAt()
    expect(await at.ask()).toMatchObject({ first_becomes_admin: false })
    await installation.empty()
    expect(await at.ask()).toMatchObject({ first_becomes_admin: false })
    await at.close()
  })

  test('does not show an empty installation with TENANTRY_FIRST_USER_ADMIN off', async () => {
    const at = await registrationAt({ firstUserAdmin: false })
    expect(await at.ask()).toEqual({ open: true, first_becomes_admin: false })
    await at.close()
  })

  test('is open only to the first administrator if people create organizations', async () => {
    const at = await registrationAt({ signUp: 'organization' })
    expect(await at.ask()).toEqual({ open: true, first_becomes_admin: true })
    const ask = () =>
      call('POST', '/auth/sign-up', {
        at: at.running,
        body: { organization: 'Acme', email: 'ada@example.com' },
      })
    expect(await ask()).toMatchObject(refusal('signUpClosed'))
    const answers = await Promise.all([1, 2, 3].map(() => postRegister(credentials(), { at: at.running })))
    expect(tally(answers)).toEqual({ 200: 1, 403: 2 })
    expect(await at.ask()).toEqual({ open: false, first_becomes_admin: false })
    // On services, an installation has no mail here, so the request gets 503.
    expect([200, 503]).toContain((await ask()).status)
    await at.close()
  })

  test('invites no one while registration is closed', async () => {
    const at = await registrationAt({ signUp: 'closed' })
    expect(await at.ask()).toEqual({ open: false, first_becomes_admin: false })
    await at.close()
  })

  test('an unsound query gets 400, as everywhere', async () => {
    expect(await call('GET', '/auth/registration?%ff', { at: open })).toMatchObject({ status: 400 })
  })
})

describe('the administrator of the configuration', () => {
  const admin = { email: 'root@example.com', username: 'root', password }
  const start = async () => {
    const { parts } = installation
    await createFirstAdmin(systemCtx({ ...parts, config: { ...parts.config, admin } }, 'start'))
  }

  test('the administrator of the configuration is created once, by replicas that start together too', async () => {
    await Promise.all([start(), start(), start()])
    await start()
    const answer = await postLogin(admin.email, password, { at: open })
    expect(await rolesOf(answer.data.access_token)).toEqual(['member', 'platform-admin'])
    expect(await registerAt(open)).toEqual(['member'])
  })

  test('a start in production is refused while the first stranger would become administrator', async () => {
    const { parts } = installation
    const startWith = (changes: Partial<Config>) =>
      createFirstAdmin(
        systemCtx({ ...parts, config: { ...parts.config, isProduction: true, ...changes } }, 'start'),
      )
    await expect(startWith({})).rejects.toThrow('TENANTRY_ADMIN_EMAIL')
    await startWith({ firstUserAdmin: false })
    await startWith({ signUp: 'closed' })
    await startWith({ admin })
    await startWith({})
    expect(await registerAt(open)).toEqual(['member'])
  })

  test('the configuration creates no user in a database with users', async () => {
    await registerAt(careful)
    await start()
    expect(await postLogin(admin.email, password, { at: open })).toMatchObject({ status: 401 })
  })
})
