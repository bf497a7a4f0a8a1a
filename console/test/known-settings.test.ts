/** The bounds that the forms of built-in settings name beside those of their declarations. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { portalPages } from '../../server/src/features/configuration/portal/portal.schemas.ts'
import { builtInSettings } from '../../server/src/start/built-in-settings.ts'
import {
  branding,
  hasForm,
  mail,
  passwords,
  portal,
  retention,
} from '../src/features/settings/known-settings.ts'

test('the forms of built-in settings have the bounds of their declarations', () => {
  const schemaOf = ({ key }: { key: string }) => builtInSettings.get(key)?.schema
  const text = (maxLength: number) => ({ type: 'string', maxLength })
  expect(schemaOf(retention)).toMatchObject({ minimum: retention.daysMin, maximum: retention.daysMax })
  expect(schemaOf(branding)).toMatchObject({ properties: { name: text(branding.nameMax) } })
  expect(schemaOf(passwords)).toMatchObject({
    properties: { min_length: { minimum: passwords.lengthMin, maximum: passwords.lengthMax } },
  })
  expect(schemaOf(mail)).toMatchObject({
    properties: {
      product: text(mail.nameMax),
      from_name: text(mail.nameMax),
      support_url: text(mail.supportMax),
      footer: text(mail.footerMax),
    },
  })
})

test('the portal names every page of the navigation, but for that of support, which every portal has', () => {
  const navigation = readFileSync(new URL('../src/shell/nav-pages.ts', import.meta.url), 'utf8')
  const pages = [...navigation.matchAll(/\bto: '\/([a-z-]*)',? title|\bto: '\/([a-z-]*)',\n\s+title/g)]
  const names = new Set(pages.map(([, one, other]) => (one ?? other) || 'dashboard'))
  expect([...names].toSorted()).toEqual([...portalPages, 'support'].toSorted())
  expect(Object.keys(portal.pages)).toEqual([...portalPages])
  expect(builtInSettings.get(portal.key)?.schema).toMatchObject({
    properties: {
      product: { maxLength: portal.nameMax },
      home_url: { maxLength: portal.addressMax },
      help_url: { maxLength: portal.addressMax },
    },
  })
})

test('every built-in setting of a tenant has a form of its own', () => {
  const ofTenants = [...builtInSettings.values()].filter(({ scopes }) => scopes.includes('tenant'))
  expect(ofTenants.filter(({ key }) => !hasForm('tenant', key))).toEqual([])
})
