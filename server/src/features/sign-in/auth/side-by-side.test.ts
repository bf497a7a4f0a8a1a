/** A sign-in does not wait for the lock of another account. */
import { beforeAll, describe, expect, test } from 'vitest'
import { postLogin } from '../../../../test/accounts.ts'
import {
  newTenant,
  ok,
  password,
  platformAdmin,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { addPasskey, postFactor, secondStepOf } from '../../../../test/second-factors.ts'
import { onPostgres } from '../../../../test/test-database.ts'
import { lockAccount } from '../../accounts/sessions/sessions.store.ts'
import { lockAccountOfUser } from '../../accounts/users/users.store.ts'
import { selectAccountByEmail } from '../../accounts/accounts/accounts.store.ts'

let busy: Caller
let tenant: Tenant

beforeAll(async () => {
  await platformAdmin()
  busy = await (await newTenant()).member()
  tenant = await newTenant()
})

/** Runs `work` while a transaction holds the lock of the busy account. */
const whileLocked = async <T>(work: () => Promise<T>, lock = lockById): Promise<T> =>
  parts.store.transaction({ tenantId: busy.tenantId }, async (db) => {
    await lock(db)
    return work()
  })

type Locking = Parameters<Parameters<typeof parts.store.transaction>[1]>[0]

const lockById = async (db: Locking): Promise<void> => {
  const account = await selectAccountByEmail(db, busy.email)
  lockAccount(db, account?.id ?? 0)
  await selectAccountByEmail(db, busy.email)
}

const lockByUser = async (db: Locking): Promise<void> => {
  await lockAccountOfUser(db, busy.tenantId, busy.userId)
}

test('sign-ins of many accounts at once all succeed', async () => {
  const users = await Promise.all(Array.from({ length: 6 }, () => tenant.member()))
  const answers = await Promise.all(users.map(({ email }) => postLogin(email)))
  expect(answers.map(({ status }) => status)).toEqual(users.map(() => 200))
})

// The embedded database runs one transaction after the other.
describe.runIf(onPostgres)('sign-ins during the lock of one account', () => {
  const chinese = { headers: { 'accept-language': 'zh' } }

  test('other people sign in during the lock, with a new language, and with a second factor', async () => {
    const [plain, careful] = [await tenant.member(), await tenant.member()]
    const { authenticator } = await addPasskey(careful)
    const statuses = await whileLocked(async () => {
      const { challenge, passkey_options: options } = await secondStepOf(careful.email)
      const answers = [
        await postLogin(plain.email),
        await postLogin(plain.email, password, chinese),
        await postFactor({ challenge, passkey: authenticator.get(options) }),
      ]
      return answers.map(({ status }) => status)
    })
    expect(statuses).toEqual([200, 200, 200])
  })

  test('other people change passwords, end sessions, and are disabled during the lock', async () => {
    const [user, other] = [await tenant.member(), await tenant.member()]
    const statuses = await whileLocked(async () => {
      const answers = [
        await user.post('/password', { old_password: password, new_password: 'another battery' }),
        await other.delete('/auth/sessions'),
        await other.post('/auth/logout'),
        await tenant.admin.put(`/users/${other.userId}`, { status: 0 }),
      ]
      return answers.map(({ status }) => status)
    })
    expect(statuses).toEqual([200, 200, 200, 200])
  })

  test.each([
    ['its id', lockById],
    ['its user', lockByUser],
  ])('the sign-in of an account locked by %s waits', async (_what, lock) => {
    let isOver = false
    const signIn = await whileLocked(async () => {
      const login = postLogin(busy.email).finally(() => (isOver = true))
      // Sign-ins to another account run meanwhile.
      for (let n = 0; n < 3; n++) ok(await postLogin(tenant.admin.email))
      expect(isOver).toBe(false)
      return { login }
    }, lock)
    expect((await signIn.login).status).toBe(200)
  })
})
