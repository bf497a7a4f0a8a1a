import { expect, test } from 'vitest'
import { personOf } from './saml-connection.ts'
import { nameFrom } from '../../../protocols/person-names.ts'

const nameOf = (claims: Record<string, string>, mapped = 'name') =>
  nameFrom((key) => claims[key] ?? '', mapped)

test.each([
  [{ upn: 'Ada L', name: 'Ada' }, 'upn', 'Ada L'],
  [{ upn: ' ', name: ' Ada ' }, 'upn', 'Ada'],
  [{ displayName: 'Ada L', given_name: 'Ada' }, 'name', 'Ada L'],
  [{ given_name: 'Ada', family_name: 'Lovelace' }, 'name', 'Ada Lovelace'],
  [{ firstName: 'Ada' }, 'name', 'Ada'],
  [{ sn: 'Lovelace', givenName: '' }, 'name', 'Lovelace'],
  [{ name: 'Ada', given_name: 'Ada' }, '', ''],
  [{ email: 'ada@example.com' }, 'name', ''],
])('a person of %j is named by %s, else by a whole name, else by its parts: %s', (claims, mapped, name) => {
  expect(nameOf(claims, mapped)).toBe(name)
})

test('a person of SAML is named by given and family name as directories send them', () => {
  const fields = {
    metadata: '',
    metadata_url: '',
    subject: 'name_id',
    email_attribute: '',
    name_attribute: 'name',
    groups_attribute: '',
  }
  const attributes = new Map([
    ['urn:oid:2.5.4.42', ['Ada']],
    ['urn:oid:2.5.4.4', ['Lovelace']],
  ])
  const answer = { subject: 'ada', attributes, sessionNotOnOrAfter: undefined }
  expect(personOf(answer, fields, []).person.name).toBe('Ada Lovelace')
})
