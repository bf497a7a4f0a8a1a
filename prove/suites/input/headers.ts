import fc from 'fast-check'
import { form } from './document.ts'
import type { Operation } from './operation.ts'

export type Caller =
  | 'administrator'
  | 'application'
  | 'browser'
  | 'directory'
  | 'key'
  | 'member'
  | 'nobody'
  | 'platform'

type Headers = [string, string][]

const headers = (...lists: Headers[]): fc.Arbitrary<Headers> => fc.constantFrom(...lists)

const tenant = 'x-tenant-id'

/** None of these may name the caller's own tenant, which for a platform administrator is the built-in one. */
const strangeTenants: Headers[] = [
  [[tenant, 'not a UUID']],
  [[tenant, '00000000-0000-4000-8000-000000000000']],
  [[tenant, '<home>, <home>']],
  [
    [tenant, '<home>'],
    [tenant, '<home>'],
  ],
  [[tenant, '{<home>}']],
  [[tenant, 'x'.repeat(5000)]],
  [[tenant, '\u00FF\u0080']],
]

const isOfStandard = (caller: Caller): boolean => ['application', 'browser', 'directory'].includes(caller)

const tenantOf = (caller: Caller): fc.Arbitrary<Headers> => {
  // These have no use for the header, and a key of a directory refuses it.
  const own = isOfStandard(caller) ? headers([]) : headers([[tenant, '<home>']])
  const other =
    caller === 'platform'
      ? strangeTenants
      : ([...strangeTenants, [], [[tenant, '']], [[tenant, '<tenant:1>']]] as Headers[])
  return fc.oneof({ weight: 20, arbitrary: own }, { weight: 1, arbitrary: headers(...other) })
}

const authorization = 'authorization'

const badTokens: Headers[] = [
  [],
  [[authorization, 'Bearer']],
  [[authorization, 'Bearer null']],
  [[authorization, 'Bearer a.b.c']],
  [[authorization, 'Bearer <refresh>']],
  [[authorization, 'Basic YWRtaW46YWRtaW4=']],
  // The name a, NUL, b, and the secret %00.
  [[authorization, 'Basic YQBiOiUwMA==']],
  [[authorization, 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.']],
  [[authorization, `Bearer ${'x'.repeat(9000)}`]],
  [[authorization, 'Bearer \u00FF\u00FE']],
]

const bearer: Headers = [[authorization, 'Bearer <token>']]

/** The credential of each caller: mostly one of these. */
const proofs: Record<Caller, Headers[]> = {
  administrator: [bearer],
  // Its forms contain the secret, too.
  application: [[], [], [[authorization, 'Basic <basic>']], bearer],
  browser: [
    [
      ['cookie', '<cookies>'],
      ['sec-fetch-site', 'same-origin'],
    ],
  ],
  directory: [bearer],
  key: [bearer],
  member: [bearer],
  nobody: badTokens,
  platform: [bearer],
}

const authorizationOf = (caller: Caller): fc.Arbitrary<Headers> =>
  fc.oneof(
    { weight: 30, arbitrary: headers(...proofs[caller]) },
    { weight: 1, arbitrary: headers(...badTokens) },
  )

const oddHeaders: Headers[] = [
  [['traceparent', '00-<trace>-00f067aa0ba902b7-01']],
  [['traceparent', '00-00000000000000000000000000000000-00f067aa0ba902b7-01']],
  [['traceparent', 'ff-<trace>-00f067aa0ba902b7-01']],
  [['traceparent', 'nonsense']],
  [['traceparent', '']],
  [
    ['accept', 'text/html'],
    ['accept-encoding', 'br;q=1, zstd, *;q=0'],
  ],
  [['accept', 'x'.repeat(3000)]],
  [['accept-language', `${'en-'.repeat(500)};q=x, zh;q=-1`]],
  [['last-event-id', '9007199254740993.1']],
  [['user-agent', '\u00FF\u0080 '.repeat(100)]],
  [['user-agent', '']],
  [['user-agent', 'x'.repeat(8000)]],
  [['x-forwarded-for', "'; drop table users; --"]],
  [
    ['x-forwarded-for', '::ffff:127.0.0.1, 1.2.3.4'],
    ['x-forwarded-host', 'evil.example'],
  ],
  [['x-http-method-override', 'DELETE']],
  [['cookie', 'a=b; '.repeat(500)]],
  [['origin', 'https://evil.example']],
  [['content-encoding', 'gzip']],
  [['accept-version', '99']],
  [
    ['if-none-match', '*'],
    ['range', 'bytes=0-1'],
  ],
  [['x-long', 'x'.repeat(20_000)]],
  [
    ['connection', 'upgrade'],
    ['upgrade', 'websocket'],
  ],
  [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ],
]

const extraHeaders = fc.oneof(
  { weight: 12, arbitrary: headers([]) },
  { weight: 1, arbitrary: headers(...oddHeaders) },
)

const json: Headers = [['content-type', 'application/json']]

export const contentType = ({ isForm }: Operation) =>
  fc.oneof(
    { weight: 25, arbitrary: headers(isForm ? [['content-type', form]] : json) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          'application/json; charset=utf-8',
          'application/json;charset=utf-16',
          'APPLICATION/JSON',
          'application/merge-patch+json',
          'application/jsonp',
          'text/plain',
          'text/json',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/octet-stream',
          'application/json, text/plain',
          ';',
          '',
          'x'.repeat(2000),
        )
        .map((type): Headers => [['content-type', type]]),
    },
    { weight: 1, arbitrary: headers([]) },
  )

/** The headers of a caller, except for the header of the body. */
export const headersOf = (caller: Caller): fc.Arbitrary<Headers> =>
  fc.tuple(authorizationOf(caller), tenantOf(caller), extraHeaders).map((lists) => lists.flat())
