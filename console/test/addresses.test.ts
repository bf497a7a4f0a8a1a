/** The console's rules for addresses of applications beside the service's own. */
import { expect, test } from 'vitest'
import { isReturnAddress } from '../../server/src/features/federation/applications/addresses.ts'
import { faultOfAddress, linesOf, originsOf } from '../src/features/applications/addresses.ts'
import { kinds } from '../src/features/applications/applications.search.ts'
import { frameworkIds, frameworks } from '../src/features/applications/snippets.ts'

const addresses = [
  'https://shop.example.com/callback',
  'https://shop.example.com:8443/a?b=c',
  'https://SHOP.example.com',
  'http://127.0.0.1/callback',
  'http://[::1]:3000/callback',
  'http://localhost:3000/',
  'http://shop.example.com/callback',
  'https://user@shop.example.com/',
  'https://0x7f.1/callback',
  'https://shop.example.com/%2e',
  'com.example.app:/callback',
  'com.example.app://callback',
  'shop:/callback',
  'javascript:alert(1)',
  'javascript:/alert(1)',
  'mailto:/me',
  'ms-settings:/a',
  'http:/a',
  'data:text/html,a',
  '//shop.example.com',
  '',
]

/** Each address with a character added or taken at each place. */
const mutated = addresses.flatMap((address) => [
  address,
  ...[...address].map((_, at) => address.slice(0, at) + address.slice(at + 1)),
  ...['#', '*', '@', ':', '/', '.', '%', '[', ' ', 'A', 'é', '\\', '?'].flatMap((sign) =>
    [...address, ''].map((_, at) => address.slice(0, at) + sign + address.slice(at)),
  ),
])

test('the page refuses exactly the redirect addresses that the service refuses', () => {
  expect(mutated.length).toBeGreaterThan(4000)
  const differing = kinds.flatMap((kind) =>
    mutated
      .filter((text) => isReturnAddress(kind, text) !== (faultOfAddress(kind, text) === undefined))
      .map((text) => `${kind} ${text}`),
  )
  expect(differing).toEqual([])
})

test('each fault is named after the part that is wrong', () => {
  const faults = [
    ['web', 'https://shop.example.com/#a'],
    ['web', 'https://*.example.com/'],
    ['web', 'http://shop.example.com/'],
    ['web', 'com.example.app:/callback'],
    ['native', 'intent:/callback'],
    ['web', 'https://me@shop.example.com/'],
    ['web', 'shop.example.com'],
  ] as const
  expect(faults.map(([kind, text]) => faultOfAddress(kind, text))).toEqual([
    'fragment',
    'pattern',
    'http',
    'scheme',
    'private',
    'user',
    'incomplete',
  ])
})

test('the address of each library is one that its kind of application may have', () => {
  expect(frameworkIds.map((id) => faultOfAddress(frameworks[id].kind, frameworks[id].redirectUri))).toEqual(
    frameworkIds.map(() => undefined),
  )
})

test('addresses have a line each, without empty lines', () => {
  expect(linesOf(' https://a.example \n\n https://b.example')).toEqual([
    'https://a.example',
    'https://b.example',
  ])
})

test('a new application has the origins of its redirect addresses, once each, and a native one has none', () => {
  const redirects = [
    'http://localhost:5173/callback',
    'http://localhost:5173/silent',
    'https://SHOP.example.com/a?b=c',
  ]
  expect(originsOf('browser', redirects)).toEqual(['http://localhost:5173', 'https://shop.example.com'])
  expect(originsOf('native', ['com.example.app:/callback', 'http://127.0.0.1/callback'])).toEqual([])
})
