/** Forms refuse exactly the texts that the service refuses. */
import { expect, test } from 'vitest'
import { faultOf } from '../src/components/field-checks.ts'
import { CreateNotification } from '../../server/src/features/delivery/notifications/notifications.schemas.ts'
import { CreatePermission } from '../../server/src/features/accounts/roles/catalogue.schemas.ts'
import { CreateRole } from '../../server/src/features/accounts/roles/roles.schemas.ts'
import { CreateTenant } from '../../server/src/features/tenancy/tenants/tenants.schemas.ts'
import { CreateUser } from '../../server/src/features/accounts/users/users.schemas.ts'
import { compileValidator } from '../../server/src/http/validation.ts'

const user = { email: 'ada@example.com', username: 'ada', password: 'correct horse' }
const tenant = { name: 'Acme', slug: 'acme' }

type Schema =
  | typeof CreateUser
  | typeof CreateTenant
  | typeof CreateRole
  | typeof CreatePermission
  | typeof CreateNotification

/** Whether the service accepts a body. */
const takes = (schema: Schema, body: object): boolean => {
  const validate = compileValidator({ schema, method: 'POST', url: '/', httpPart: 'body' })
  const result = validate({ ...body }) as { error?: Error }
  return result.error === undefined
}

const texts = [
  '',
  ' ',
  'a',
  'ab',
  'abc',
  ' abc ',
  'a b c',
  'ünïcode',
  '李雷',
  'Upper-Case',
  'with-dash_and.dot@+',
  'double--dash',
  '-dash',
  'seven77',
  'eight888',
  'invoice:read',
  'Invoice:read',
  'a:b:c',
  'a_1:b-2',
  ':read',
  ...[32, 33].map((length) => `${'a'.repeat(length)}:b`),
  'x'.repeat(10_001),
  ...[63, 64, 65, 127, 128, 129, 200, 201, 254, 255, 256, 10_000].flatMap((length) => [
    'x'.repeat(length),
    `  ${'x'.repeat(length)} `,
    '𝒳'.repeat(length),
  ]),
]

test.each([
  ['username', (text: string) => takes(CreateUser, { ...user, username: text })],
  ['nickname', (text: string) => takes(CreateUser, { ...user, nickname: text })],
  ['password', (text: string) => takes(CreateUser, { ...user, password: text })],
  ['tenantName', (text: string) => takes(CreateTenant, { ...tenant, name: text })],
  ['slug', (text: string) => takes(CreateTenant, { ...tenant, slug: text })],
  ['permissionCode', (text: string) => takes(CreatePermission, { code: text, name: 'Read' })],
  ['roleName', (text: string) => takes(CreateRole, { name: text })],
  ['title', (text: string) => takes(CreateNotification, { user_id: 1, title: text })],
  ['content', (text: string) => takes(CreateNotification, { user_id: 1, title: 'x', content: text })],
  ['description', (text: string) => takes(CreateRole, { name: 'Editors', description: text })],
] as const)('a form refuses the same %s as the service', (kind, isTaken) => {
  const differing = texts.filter((text) => (faultOf(kind, text) === undefined) !== isTaken(text))
  expect(differing).toEqual([])
})

test('a form accepts every e-mail that the service accepts', () => {
  const emails = [
    'ada@example.com',
    ' ada@example.com ',
    "o'brien+tag@sub.example.co.uk",
    `${'a'.repeat(242)}@example.com`,
    ...texts,
    'ada@host',
    '@example.com',
    'a da@example.com',
    'ada..b@example.com',
    `${'a'.repeat(243)}@example.com`,
  ]
  const taken = emails.filter((email) => takes(CreateUser, { ...user, email }))
  expect(taken).toHaveLength(4)
  expect(taken.filter((email) => faultOf('email', email) !== undefined)).toEqual([])
})
