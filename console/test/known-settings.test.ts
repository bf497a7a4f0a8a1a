/** The bounds that the forms of built-in settings name beside those of their declarations. */
import { expect, test } from 'vitest'
import { builtInSettings } from '../../server/src/start/built-in-settings.ts'
import { branding, hasForm, mail, passwords, retention } from '../src/features/settings/known-settings.ts'

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

test('every built-in setting of a tenant has a form of its own', () => {
  const ofTenants = [...builtInSettings.values()].filter(({ scopes }) => scopes.includes('tenant'))
  expect(ofTenants.filter(({ key }) => !hasForm('tenant', key))).toEqual([])
})
