import { describe, expect, test } from 'vitest'
import { postRegister } from '../../../../test/accounts.ts'
import { refusalOf } from '../../../../test/answers.ts'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../../../test/factories.ts'
import { call, parts, startApp, type Answer } from '../../../../test/harness.ts'
import { insertLink, insertSignUp, useMailServer } from '../../../../test/mail-queue.ts'
import { accept, insertMember, invite } from '../../../../test/people.ts'
import { systemCtx } from '../../../start/parts.ts'
import { createPlatformAdmin } from '../../sign-in/auth/auth.service.ts'
import { resetPasswordByEmail } from '../../sign-in/auth/operator.service.ts'

const server = useMailServer()

const strict = { min_length: 15, refuse_common: true, refuse_personal: true }

/** A tenant with rules of its own. */
const tenantWith = async (value: object): Promise<Tenant> => {
  const tenant = await newTenant()
  ok(await tenant.admin.put('/settings/tenant/auth.passwords', { value }))
  return tenant
}

const create = (tenant: Tenant, chosen: string, fields: object = {}): Promise<Answer> => {
  const username = unique('user')
  const body = { email: `${username}@example.com`, username, password: chosen, ...fields }
  return tenant.admin.post('/users', body)
}

const refused = (field: string, ...reasons: string[]) => ({
  status: 400,
  body: {
    code: 40080,
    data: {
      errors: reasons.map(() => ({ field, message: expect.stringMatching(/^(must|is) /) })),
      reasons,
    },
  },
})

/** Runs with a value of the installation, which every test shares. */
const withGlobal = async <T>(value: object, work: () => Promise<T>): Promise<T> => {
  const root = await platformAdmin()
  ok(await root.put('/settings/global/auth.passwords', { value }))
  try {
    return await work()
  } finally {
    ok(await root.delete('/settings/global/auth.passwords'))
  }
}

describe('the rules of a tenant', () => {
  test('are those of old where nobody has set any', async () => {
    const tenant = await newTenant()
    expect((await create(tenant, 'password')).status).toBe(200)
    expect(await create(tenant, 'seven77')).toMatchObject(refusalOf('password'))
    expect(ok(await call('GET', '/auth/options')).passwords).toEqual({
      min_length: 8,
      refuse_common: false,
      refuse_personal: false,
      breached: 'off',
    })
  })

  test('count a character as one, whatever its bytes', async () => {
    const tenant = await tenantWith({ min_length: 10 })
    expect(await create(tenant, '𝔭𝔞𝔰𝔰𝔭𝔥𝔯𝔞𝔰')).toMatchObject(refused('password', 'too_short'))
    expect((await create(tenant, '𝔭𝔞𝔰𝔰𝔭𝔥𝔯𝔞𝔰𝔢')).status).toBe(200)
  })

  test.each(['sunshine', 'SunShine', 'ｓｕｎｓｈｉｎｅ', 'sunshine1987!', 'Password123$'])(
    'refuse %s, which is common or only ends otherwise',
    async (chosen) => {
      const tenant = await tenantWith({ refuse_common: true })
      expect(await create(tenant, chosen)).toMatchObject(refused('password', 'common'))
    },
  )

  test('take a password that only contains a common one', async () => {
    const tenant = await tenantWith({ refuse_common: true })
    expect((await create(tenant, 'sunshine over the sea')).status).toBe(200)
  })

  test.each([
    ['the address', ({ email }: Names) => email],
    ['the local part of the address', ({ email }: Names) => `${email.split('@')[0]}!`],
    ['the username', ({ username }: Names) => username.toUpperCase()],
    ['the nickname', ({ nickname }: Names) => `${nickname}2026`],
    ['the tenant', ({ tenant }: Names) => `Tenant ${tenant.slug}`],
    ['the slug of the tenant', ({ tenant }: Names) => `${tenant.slug}#1`],
    ['the product', () => 'Tenantry'],
  ])('refuse %s as a password', async (_name, choose) => {
    const tenant = await tenantWith({ refuse_personal: true })
    const names = { username: unique('someone-'), nickname: 'Ada Lovelace', tenant }
    const email = `${unique('mailbox-')}@example.com`
    const chosen = choose({ ...names, email })
    expect(await create(tenant, chosen, { email, ...names, tenant: undefined })).toMatchObject(
      refused('password', 'personal'),
    )
  })

  test('name every reason at once', async () => {
    const tenant = await tenantWith(strict)
    const fields = { nickname: 'sunshine' }
    expect(await create(tenant, 'Sunshine!', fields)).toMatchObject(
      refused('password', 'too_short', 'common', 'personal'),
    )
  })

  test('are told before the sign-in, by id or slug, and never of an unknown tenant', async () => {
    const tenant = await tenantWith(strict)
    const told = async (name: string) => ok(await call('GET', `/auth/options?tenant=${name}`)).passwords
    const expected = { ...strict, breached: 'off' }
    for (const name of [tenant.id, tenant.id.toUpperCase(), tenant.slug]) {
      expect(await told(name)).toEqual(expected)
    }
    for (const name of ['', unique('unknown'), crypto.randomUUID()]) {
      expect(await told(name)).toMatchObject({ min_length: 8 })
    }
    expect((await call('GET', `/auth/options?tenant=${'x'.repeat(65)}`)).status).toBe(400)
  })
})

interface Names {
  email: string
  username: string
  nickname: string
  tenant: Tenant
}

describe('the rules of installation and tenant', () => {
  test('count each at the stricter value', async () => {
    const tenant = await tenantWith({ min_length: 20, refuse_common: false })
    await withGlobal({ min_length: 12, refuse_common: true }, async () => {
      const { passwords } = ok(await call('GET', `/auth/options?tenant=${tenant.slug}`))
      expect(passwords).toMatchObject({ min_length: 20, refuse_common: true, refuse_personal: false })
      const effective = ok(await tenant.admin.get('/settings/effective/auth.passwords'))
      expect(effective).toMatchObject({ value: passwords, origin: 'tenant' })
      expect((await call('GET', '/auth/options')).data.passwords).toMatchObject({ min_length: 12 })
      expect(await create(tenant, 'nineteen characters')).toMatchObject(refused('password', 'too_short'))
    })
  })

  test.each([
    [{ min_length: 7 }],
    [{ min_length: 65 }],
    [{ refuse_common: 'yes' }],
    [{ breached: 'warn' }],
    [{ composition: true }],
    ['strict'],
  ])('never have the value %j', async (value) => {
    const { admin } = await newTenant()
    expect((await admin.put('/settings/tenant/auth.passwords', { value })).status).toBe(400)
  })
})

describe('every way to a password obeys the rules', () => {
  const weak = 'short password'
  const strong = 'a longer password of several words'

  test('registration', async () => {
    await withGlobal(strict, async () => {
      const username = unique('user')
      const body = { email: `${username}@example.com`, username }
      expect(await postRegister({ ...body, password: weak })).toMatchObject(refused('password', 'too_short'))
      expect((await postRegister({ ...body, password: strong })).status).toBe(200)
    })
  })

  test('an invitation, whose link a refusal does not spend', async () => {
    const tenant = await tenantWith(strict)
    const { token } = await invite(server, tenant.admin, { email: `${unique('i')}@example.com` })
    expect(await accept(token, { password: weak })).toMatchObject(refused('password', 'too_short'))
    expect((await accept(token, { password: strong })).status).toBe(200)
  })

  test('an invitation of an account without an owner', async () => {
    const [tenant, other] = [await newTenant(), await tenantWith(strict)]
    const { email } = await tenant.member()
    const { token } = await invite(server, other.admin, { email })
    expect(await accept(token, { new_password: weak })).toMatchObject(refused('new_password', 'too_short'))
    expect((await accept(token, { new_password: strong })).status).toBe(200)
  })

  test('a mailed link, which a refusal does not spend', async () => {
    const tenant = await tenantWith(strict)
    const token = await insertLink(await tenant.member(), 'reset')
    const reset = (chosen: string) =>
      call('POST', '/auth/password/reset', { body: { token, new_password: chosen } })
    expect(await reset(weak)).toMatchObject(refused('new_password', 'too_short'))
    expect((await reset(strong)).status).toBe(200)
  })

  test('a change of the password', async () => {
    const user = await (await tenantWith(strict)).member()
    const change = (chosen: string) =>
      user.post('/password', { old_password: password, new_password: chosen })
    expect(await change(weak)).toMatchObject(refused('new_password', 'too_short'))
    expect(await change(`${user.username}!`)).toMatchObject(refused('new_password', 'too_short', 'personal'))
    expect((await change(strong)).status).toBe(200)
  })

  test('a wrong old password is told before any rule', async () => {
    const user = await (await tenantWith(strict)).member()
    const answer = await user.post('/password', { old_password: 'wrong', new_password: weak })
    expect(answer).toMatchObject({ status: 401, body: { code: 40107 } })
  })

  test('the commands of an operator', async () => {
    const user = await (await tenantWith(strict)).member()
    const ctx = systemCtx(parts, 'test')
    await expect(resetPasswordByEmail(ctx, user.email, weak)).rejects.toMatchObject({ code: 40080 })
    await withGlobal(strict, async () => {
      const username = unique('user')
      const admin = { email: `${username}@example.com`, username, password: weak }
      await expect(createPlatformAdmin(ctx, admin)).rejects.toMatchObject({ code: 40080 })
    })
  })

  test('the sign-up of an organization, whose name is no password', async () => {
    const at = await startApp({ signUp: 'organization', firstUserAdmin: false })
    await withGlobal({ refuse_personal: true }, async () => {
      const body = { token: await insertSignUp(), username: unique('user'), nickname: 'Grace Hopper' }
      const confirm = (chosen: string) =>
        call('POST', '/auth/sign-up/confirm', { at, body: { ...body, password: chosen } })
      expect(await confirm('grace hopper 1')).toMatchObject(refused('password', 'personal'))
      expect(await confirm(strong)).toMatchObject({ status: 200 })
    })
    await at.app.close()
  })
})

test('the strictest rules count for a person of several tenants', async () => {
  const [tenant, other] = [await newTenant(), await tenantWith(strict)]
  const user = await tenant.member()
  const change = (chosen: string) => user.post('/password', { old_password: password, new_password: chosen })
  await insertMember(user, other)
  expect(await change('short password')).toMatchObject(refused('new_password', 'too_short'))
  expect(await change(`Tenant ${other.slug}`)).toMatchObject(refused('new_password', 'personal'))
})

test('an older password goes on', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  ok(await tenant.admin.put('/settings/tenant/auth.passwords', { value: { min_length: 64 } }))
  const answer = await call('POST', '/auth/login', { body: { email: user.email, password } })
  expect(answer.status).toBe(200)
})
