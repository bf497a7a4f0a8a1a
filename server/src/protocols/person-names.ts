/** The names of persons in both protocols, for providers that do not send the configured claim or attribute. */

const xml = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

/** Claims and attributes with a full name, in order of preference. The numbers are those of LDAP. */
const whole = [
  'name',
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
]
const given = ['given_name', 'givenName', 'urn:oid:2.5.4.42', `${xml}/givenname`, 'firstName', 'first_name']
const family = ['family_name', 'sn', 'urn:oid:2.5.4.4', `${xml}/surname`, 'surname', 'lastName', 'last_name']

/** The name that `mapped` selects, else another full name, else given and family name. If nothing is mapped, "". */
export const nameFrom = (read: (key: string) => string, mapped: string): string => {
  const first = (keys: string[]) => keys.map((key) => read(key).trim()).find((text) => text !== '') ?? ''
  if (mapped === '') return ''
  return first([mapped, ...whole]) || `${first(given)} ${first(family)}`.trim()
}
