/** The texts of all languages. The compiler finds missing keys; these tests find the rest. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { errorCodes } from '../../client/src/error-codes.ts'
import { operations, policyChange } from '../../server/src/access/operations.ts'
import { builtInTemplates } from '../../server/src/access/built-in-templates.ts'
import { permissions } from '../../server/src/access/permissions.ts'
import { actions } from '../../server/src/features/audit/audit/actions.schemas.ts'
import { personMatches } from '../../server/src/features/federation/linking/persons.service.ts'
import { refusals } from '../../server/src/features/federation/sso/reasons.ts'
import { Attempt } from '../../server/src/features/federation/sso/sign-in.schemas.ts'
import { accesses, types } from '../src/features/attributes/declaration.ts'
import { operators } from '../src/features/flags/flag-values.ts'
import { importFields } from '../src/features/user-import/drafts.ts'
import { statuses } from '../src/features/approvals/approvals.search.ts'
import * as access from '../src/locales/en/access.ts'
import * as account from '../src/locales/en/account.ts'
import * as approvals from '../src/locales/en/approvals.ts'
import * as attributes from '../src/locales/en/attributes.ts'
import * as audit from '../src/locales/en/audit.ts'
import * as developers from '../src/locales/en/developers.ts'
import * as entry from '../src/locales/en/entry.ts'
import * as errors from '../src/locales/en/errors.ts'
import * as dashboard from '../src/locales/en/dashboard.ts'
import * as frame from '../src/locales/en/frame.ts'
import * as catalogue from '../src/locales/en/catalogue.ts'
import * as invitations from '../src/locales/en/invitations.ts'
import * as news from '../src/locales/en/news.ts'
import * as hosted from '../src/locales/en/hosted.ts'
import * as ownAccount from '../src/locales/en/own-account.ts'
import * as platform from '../src/locales/en/platform.ts'
import * as providers from '../src/locales/en/providers.ts'
import * as ssoAttempts from '../src/locales/en/sso-attempts.ts'
import * as userImport from '../src/locales/en/user-import.ts'
import * as roleEnds from '../src/locales/en/role-ends.ts'
import * as reviews from '../src/locales/en/reviews.ts'
import * as sso from '../src/locales/en/sso.ts'
import * as support from '../src/locales/en/support.ts'
import { kinds } from '../src/features/providers/provider-kinds.ts'
import { testResults } from '../src/features/providers/providers.search.ts'
import { kinds as reviewedKinds, outcomes as reviewOutcomes } from '../src/features/reviews/reviews.search.ts'
import { presets } from '../src/features/sso/presets.ts'
import { statuses as supportStatuses } from '../src/features/support/support.search.ts'
import { en } from '../src/locales/en.ts'
import { zh } from '../src/locales/zh.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** Every text by its full key, as in `users.title`. */
const flatten = (texts: object, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value as object, `${prefix}${key}.`),
  )

const english = new Map(flatten(en))
const chinese = new Map(flatten(zh))

/** The service has English texts of these, and the console those for administrators. */
const isOfService = (key: string) => /^(?:permissionTexts|systemRoles)\./.test(key)

test('each language has exactly the same keys, and no empty text', () => {
  const ofConsole = (texts: Map<string, string>) =>
    [...texts.keys()].filter((key) => !isOfService(key)).toSorted()
  expect(ofConsole(chinese)).toEqual(ofConsole(english))
  expect(Object.keys(zh.permissionTexts).toSorted()).toEqual(permissions.map(({ code }) => code).toSorted())
  expect(Object.keys(zh.systemRoles)).toHaveLength(builtInTemplates.length)
  expect([...english, ...chinese].filter(([, text]) => text.trim() === '')).toEqual([])
})

test('permissions and system roles say "organization" to administrators', () => {
  const ofPermissions: Partial<Record<string, object>> = en.permissionTexts
  const ofRoles: Partial<Record<string, { description?: string }>> = en.systemRoles
  const shown = [
    ...permissions.flatMap(({ code, name, description }) =>
      Object.values({ name, description, ...ofPermissions[code] }).map((text) =>
        text.replace(/[a-z]+:[a-z]+/g, ''),
      ),
    ),
    ...builtInTemplates.map(({ name, description }) => ofRoles[name]?.description ?? description),
  ]
  expect(shown.filter((text) => /tenant/i.test(text))).toEqual([])
})

test('each action of the audit log has words, as has its resource', () => {
  const words = flatten(en.auditActions).map(([key]) => key)
  expect(words.toSorted()).toEqual(actions.toSorted())
  const resources = new Set(actions.map((action) => action.slice(0, action.indexOf('.'))))
  expect(Object.keys(en.auditResources).toSorted()).toEqual([...resources].toSorted())
})

test('each operation of approvals has words', () => {
  expect(Object.keys(en.approvalOperations)).toEqual([...operations, policyChange])
})

test('each reason of a sign-in by a connection has words, as has each outcome', () => {
  const { enum: outcomes } = Attempt.properties.outcome as unknown as { enum: string[] }
  expect(Object.keys(en.ssoReasons).toSorted()).toEqual(
    [...Object.keys(refusals), ...personMatches].toSorted(),
  )
  expect(Object.keys(en.ssoTestReasons).toSorted()).toEqual(['answered', ...personMatches].toSorted())
  expect(Object.keys(en.ssoOutcomes).toSorted()).toEqual(outcomes.toSorted())
})

test('each text has the same placeholders in all languages', () => {
  const marks = (text = ''): string => (text.match(/\{\{?\w+\}\}?|<\/?\w+>/g) ?? []).toSorted().join()
  const differing = [...english].filter(([key, text]) => marks(text) !== marks(chinese.get(key)))
  expect(differing.map(([key]) => key).filter((key) => !key.endsWith('_one'))).toEqual([])
})

const code = globSync('**/*.{ts,tsx}', { cwd: sources, exclude: ['locales/**'] })
  .map((file) => readFileSync(`${sources}${file}`, 'utf8'))
  .join('\n')

/** The last parts of keys that code puts together, as in `table.${control}`. */
const made: Record<string, string[]> = {
  addressFaults: ['fragment', 'http', 'incomplete', 'pattern', 'private', 'scheme', 'user'],
  applicationKindTexts: ['browser', 'native', 'web'],
  applicationKinds: ['browser', 'native', 'web'],
  approvalStatuses: [...statuses],
  attributeAccess: [...accesses],
  attributeForms: ['administrators', 'self', 'tenantNew', 'userNew'],
  attributeLimits: ['maxItems', 'maxLength', 'maximum', 'minLength', 'minimum'],
  attributeTypes: [...types],
  connections: [
    'active',
    'attempts',
    'directory',
    'disabled',
    'draft',
    'groups',
    'oidc',
    'oidcAt',
    'oidcHint',
    'people',
    'saml',
    'samlAt',
    'samlHint',
    'step1',
    'step2',
    'step3',
    'step4',
  ],
  declared: ['origin_default', 'origin_global', 'origin_inherited', 'origin_tenant', 'origin_user'],
  deliveryStates: ['dead', 'delivered', 'failed', 'pending'],
  domains: ['lapsed', 'lapsedChoice', 'pending', 'pendingChoice', 'verified', 'verifiedChoice'],
  errors: Object.keys(errorCodes),
  fieldFaults: [
    'content',
    'description',
    'email',
    'nickname',
    'organization',
    'password',
    'permissionCode',
    'roleName',
    'slug',
    'tenantName',
    'title',
    'username',
  ],
  fields: [...importFields],
  flagOperators: [...operators],
  flagReasons: ['DEFAULT', 'DISABLED', 'SPLIT', 'STATIC', 'TARGETING_MATCH'],
  flagTypes: ['boolean', 'number', 'object', 'string'],
  invitations: ['accepted', 'expired', 'pending', 'revoked'],
  notificationTypes: ['error', 'info', 'success', 'warning'],
  onlyConnection: ['needsActive', 'needsBreakGlass', 'needsOwnSession'],
  ownErrors: ['network', 'storage', 'timeout', 'unknown'],
  passwordFaults: ['breached', 'common', 'personal', 'too_short'],
  providerKinds: [...kinds],
  providerTests: [...testResults],
  providers: ['tenant_common', 'tenant_consumers', 'tenant_single', 'tenant_organizations'],
  replayBegins: ['day', 'hour', 'moment', 'now', 'week'],
  reviewHints: ['changed', 'directory', 'refused'],
  reviewKinds: [...reviewedKinds],
  reviewKindsOne: ['grants', 'keys'],
  reviewOutcomes: [...reviewOutcomes],
  reviewSources: ['consent', 'default', 'eligible', 'invitation', 'manual', 'sso'],
  sendings: ['everyone', 'one', 'role'],
  settingKinds: ['json', 'number', 'switch', 'text'],
  setupParts: ['connection', 'directory', 'domains'],
  setupSteps: ['connection', 'directory', 'domains', 'people', 'test'].flatMap((name) => [
    name,
    `${name}Hint`,
  ]),
  shell: ['auto', 'dark', 'light'],
  ssoOutcomes: ['proof', 'refused', 'signed_in', 'test_failed', 'test_passed'],
  ssoPlan: [
    'connection',
    'connectionText',
    'directory',
    'directoryText',
    'domain',
    'domainText',
    'only',
    'onlyText',
  ],
  ssoProviders: Object.keys(presets).flatMap((one) => [
    one,
    `${one}Client`,
    `${one}Issuer`,
    `${one}Metadata`,
  ]),
  supportEnds: ['actor', 'authority', 'tenant', 'time', 'user'],
  supportKindTexts: ['act', 'view'],
  supportKinds: ['act', 'view'],
  supportRules: ['allowed', 'ask', 'off'],
  supportStatuses: [...supportStatuses],
  table: ['first', 'last', 'next', 'previous'],
  tenants: ['delete', 'disable', 'edit', 'enable'],
}

test('the keys that code puts together are listed', () => {
  const groups = [...code.matchAll(/`(\w+)\.(?:\w+_)?\$\{/g)].map(([, group = '']) => group)
  expect([...new Set(groups)].filter((group) => Object.hasOwn(en, group)).toSorted()).toEqual(
    Object.keys(made),
  )
})

test('each text is used somewhere', () => {
  const isUsed = (key: string): boolean => {
    const plain = key.replace(/_(?:one|other)$/, '')
    const [group = '', name = ''] = plain.split('.')
    const isOfTable = code.includes(`textsOf('${group}')`)
    return isOfTable || (made[group] ?? []).includes(name) || code.includes(`'${plain}'`)
  }
  expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([])
})

const parts: Record<string, object> = {
  access,
  catalogue,
  invitations,
  account,
  approvals,
  attributes,
  audit,
  dashboard,
  developers,
  entry,
  errors,
  frame,
  news,
  platform,
  providers,
  reviews,
  sso,
  ssoAttempts,
  roleEnds,
  support,
  userImport,
}

const importOf = /(?:from|import\() ?'(\.{1,2}\/[^']+)'/g

/** A file with its own texts: code that it loads by `loadPage` brings the parts that it names. */
const textOf = (file: string): string =>
  readFileSync(file, 'utf8').replaceAll(/loadPage\(\s*\[.*?\],\s*\(\) => import\('.*?'\)/gs, '')

/** The file and all that it imports, at once or later. */
const closureOf = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file) || !/\.tsx?$/.test(file) || /locales\/|i18n\.ts/.test(file)) return seen
  seen.add(file)
  for (const [, path = ''] of textOf(file).matchAll(importOf)) closureOf(resolve(dirname(file), path), seen)
  return seen
}

const groupsOf = (file: string): string[] => {
  const keys = [...closureOf(file)]
    .map(textOf)
    .join('\n')
    .matchAll(/['`]([a-zA-Z]+)\.[a-zA-Z$]|textsOf\('(\w+)'\)/g)
  const groups = new Set([...keys].map(([, group, whole]) => group ?? whole ?? ''))
  return [...groups].filter((group) => Object.hasOwn(en, group))
}

interface Page {
  name: string
  /** The groups of texts that are there when it opens. */
  loaded: Set<string>
  used: string[]
}

const pages = globSync('**/*.{ts,tsx}', { cwd: sources }).flatMap((file): Page[] => {
  const calls = readFileSync(`${sources}${file}`, 'utf8').matchAll(
    /(?:loadPage\(\s*\[(.*?)\],\s*|loadPart\()\(\) => import\('(.*?)'\)/gs,
  )
  return [...calls].map(([, named = '', path = '']) => {
    // A refusal brings the texts of its errors (session/client.ts).
    const names = ['entry', 'errors', 'frame', ...named.replaceAll(/[' ]/g, '').split(',')]
    const loaded = new Set(names.flatMap((name) => Object.keys(parts[name] ?? {})))
    return { name: path, loaded, used: groupsOf(resolve(dirname(`${sources}${file}`), path)) }
  })
})

test('each page loads all texts that it needs', () => {
  expect(pages.length).toBeGreaterThan(25)
  expect(pages.flatMap(({ used }) => used).length).toBeGreaterThan(100)
  const missing = pages.map(({ name, loaded, used }) => [name, used.filter((group) => !loaded.has(group))])
  expect(missing.filter(([, groups = []]) => groups.length > 0)).toEqual([])
})

test.each([
  ['the sign-in', 'hosted/main.tsx', hosted],
  ['the own account', 'hosted/account/main.tsx', ownAccount],
])('the pages of %s load all texts that they need', (_, file, texts) => {
  const used = groupsOf(resolve(sources, file))
  expect(used).toContain('hosted')
  expect(used.filter((group) => !Object.hasOwn(texts, group))).toEqual([])
})
