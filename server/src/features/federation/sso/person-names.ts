/** The names of persons, as providers of both protocols send them where they lack the one that a connection reads. */

const xml = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

/** Claims and attributes with a whole name, in order. The numbers are those of LDAP. */
const whole = [
  'name',
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
]
const given = ['given_name', 'givenName', 'urn:oid:2.5.4.42', `${xml}/givenname`, 'firstName', 'first_name']
const family = ['family_name', 'sn', 'urn:oid:2.5.4.4', `${xml}/surname`, 'surname', 'lastName', 'last_name']

/** The name that `mapped` names, else another whole one, else given and family name. "" where nothing is mapped. */
export const nameFrom = (read: (key: string) => string, mapped: string): string => {
  const first = (keys: string[]) => keys.map((key) => read(key).trim()).find((text) => text !== '') ?? ''
  if (mapped === '') return ''
  return first([mapped, ...whole]) || `${first(given)} ${first(family)}`.trim()
}
