import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { domainOf } from '../src/features/sso/domain-name.ts'
import { guideBlocks, guideIntroduction } from '../src/features/sso/guide-blocks.ts'
import { presets, providerOf } from '../src/features/sso/presets.ts'

const files = {
  entra: 'entra-id',
  google: 'google-workspace',
  keycloak: 'keycloak',
  okta: 'okta',
} as const

const readGuide = (path: string): string => readFileSync(new URL(`../../${path}.md`, import.meta.url), 'utf8')

test('a part of a guide is read with its items and tables, without the marks of Markdown', () => {
  const text = [
    '# Any',
    '',
    '[The steps](README.md#a) come first. `ORG` is the',
    'host.',
    '',
    '## SAML',
    '',
    '1. _Apps_, _Add',
    '   app_: `SHA-256`.',
    '2. The connection:',
    '',
    '   | Field    | Value |',
    '   | -------- | ----- |',
    '   | `issuer` | `ORG` |',
    '',
    'People [do](x.md) this.',
    '',
    '## SCIM',
    '',
    'More.',
  ].join('\n')
  expect(guideIntroduction(text)).toBe('ORG is the host.')
  expect(guideBlocks(text, 'SAML')).toEqual([
    { kind: 'item', number: '1', text: '“Apps”, “Add app”: SHA-256.' },
    { kind: 'item', number: '2', text: 'The connection:' },
    {
      kind: 'table',
      rows: [
        ['Field', 'Value'],
        ['issuer', 'ORG'],
      ],
    },
    { kind: 'text', text: 'People do this.' },
  ])
})

const rowsOf = (guide: string, part: string): string[][] =>
  guideBlocks(guide, part).flatMap((block) => (block.kind === 'table' ? block.rows : []))

const guidesOf = (file: string): string[] =>
  ['docs/guides', 'console/src/locales/zh/guides'].map((folder) => readGuide(`${folder}/${file}`))

test.each(Object.entries(files))(
  'the guides for %s have their parts, and the first values of the form',
  (name, file) => {
    const { fields } = presets[name as keyof typeof files]
    for (const guide of guidesOf(file)) {
      for (const part of ['OpenID Connect', 'SAML', 'SCIM']) {
        expect(guideBlocks(guide, part)).not.toEqual([])
        expect(JSON.stringify(guideBlocks(guide, part))).not.toMatch(/`|\]\(|[\s"]_\w|\w_[\s,."]/)
      }
      expect(rowsOf(guide, 'OpenID Connect')).toContainEqual(['auth_method', fields.auth_method])
      expect(rowsOf(guide, 'OpenID Connect')).toContainEqual(['subject_claim', fields.subject_claim])
      expect(rowsOf(guide, 'SAML')).toContainEqual(['subject', fields.subject])
      expect(rowsOf(guide, 'SAML')).toContainEqual(['email_attribute', fields.email_attribute])
    }
  },
)

test.each(Object.values(files))('the Chinese guide %s has the steps and rows of the English one', (file) => {
  const [english = '', chinese = ''] = guidesOf(file)
  for (const part of ['OpenID Connect', 'SAML', 'SCIM']) {
    const shapeOf = (guide: string) =>
      guideBlocks(guide, part).map((block) =>
        block.kind === 'table' ? block.rows.map(([key]) => key).slice(1) : block.kind,
      )
    expect(shapeOf(chinese)).toEqual(shapeOf(english))
  }
})

test.each([
  ['example.com', 'example.com'],
  [' Ada@Example.COM ', 'example.com'],
  ['https://www.example.com/path', 'www.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['no domain', 'no domain'],
])('the typed text “%s” gives the domain %s', (typed, domain) => {
  expect(domainOf(typed)).toBe(domain)
})

test.each([
  ['https://login.microsoftonline.com/3f2b8c1e/v2.0', 'entra'],
  ['https://acme.okta.com', 'okta'],
  ['https://accounts.google.com', 'google'],
  ['https://login.acme.example/realms/acme', 'keycloak'],
  ['https://idp.example.com', 'other'],
])('the provider at %s is taken for %s', (issuer, provider) => {
  const connection = { issuer } as Parameters<typeof providerOf>[0]
  expect(providerOf(connection)).toBe(provider)
})
