/** Bodies, addresses and headers, before any feature sees them. */
import { byRoot, byStranger, filled, loginPath, namesOf, times, type Input } from './input.ts'

const bodyBytes = 1_048_576
const parts = '1 MiB and 520,000 units'

const login = (what: string, body: unknown, bound = parts): Input => ({
  what: `a body of ${what}`,
  bound,
  status: 400,
  send: byStranger('POST', loginPath, { body }),
})

const form = (what: string, text: string): Input => ({
  what,
  bound: '64 KiB',
  status: 400,
  send: byStranger('POST', '/oauth2/token', { form: text }),
})

const token = `Bearer ${Buffer.from('{"alg":"RS256","kid":"x"}').toString('base64url')}.${'x'.repeat(12_000)}.x`

export const requestInputs: Input[] = [
  login('numbers', { value: times(255_000, () => 0) }),
  login('texts', { value: times(170_000, () => '') }),
  login('objects with one name', { value: times(50_000, () => ({ a: 0 })) }),
  login('objects with names of their own', { value: times(6000, (at) => ({ [`k${at}`]: 0 })) }),
  login('names', namesOf(6300)),
  login('a list of numbers beyond the parts', { value: times(520_000, () => 0) }),
  login('names beyond the parts', namesOf(100_000)),
  login('lists, nested to the end', filled(JSON.parse(`${'['.repeat(62)}${']'.repeat(62)}`), bodyBytes)),
  login('one long text', { email: 'a'.repeat(bodyBytes - 100) }, '1 MiB'),
  form('a form of names', times(11_000, (at) => `${at.toString(36)}=`).join('&')),
  {
    what: 'a query of names',
    bound: '16 KiB',
    status: 200,
    send: byStranger('GET', `/api/v1/auth/options?${'a&'.repeat(7000)}`, {}),
  },
  {
    what: 'a cookie of names',
    bound: '16 KiB',
    status: 400,
    send: byStranger('GET', '/oauth2/authorize', { headers: { cookie: 'a=b;'.repeat(3500) } }),
  },
  {
    what: 'languages of a page',
    bound: '16 KiB',
    status: 400,
    send: byStranger('GET', '/oauth2/authorize', {
      headers: { 'accept-language': 'en-US;q=0.1,'.repeat(1200) },
    }),
  },
  {
    what: 'an access token',
    bound: '16 KiB',
    status: 401,
    send: byStranger('GET', '/api/v1/profile', { headers: { authorization: token } }),
  },
  {
    what: 'an ID token at the end of a session',
    bound: '16 KiB',
    status: 400,
    send: byStranger('GET', `/oauth2/logout?id_token_hint=${token.slice(7)}`, {}),
  },
  form(
    'an assertion of a client',
    `grant_type=client_credentials&client_assertion_type=x&client_assertion=${'a.'.repeat(30_000)}`,
  ),
  {
    what: 'redirect addresses of an application',
    bound: '20 of 2000 characters',
    status: 400,
    send: byRoot('POST', '/applications', {
      name: 'x',
      type: 'web',
      redirect_uris: times(20, (at) => `https://${'a.'.repeat(900)}${at}?%zz`),
    }),
  },
]
