/** Sessions of a person on other devices, and that of a page. */
import type { Page } from 'playwright-core'
import { ok, password, type Caller } from '../../server/test/factories.ts'
import { call } from '../../server/test/harness.ts'
import { sessionKey } from './visit.ts'

export const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

/** Signs the user in on another device; gives its access token. */
export const signInOn = async (user: Caller, userAgent: string): Promise<string> => {
  const options = { body: { email: user.email, password }, headers: { 'user-agent': userAgent } }
  return ok(await call('POST', '/auth/login', options)).access_token
}

export const statusOf = async (token: string) => (await call('GET', '/ping', { token })).status

export const storedToken = async (page: Page): Promise<string> =>
  JSON.parse((await page.evaluate<string>(`localStorage.getItem('${sessionKey}')`)) ?? '{}').accessToken
