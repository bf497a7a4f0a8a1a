/** The single texts of a SCIM user that can fill an attribute (RFC 7643, 4.1 and 4.3). */
const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const core = 'urn:ietf:params:scim:schemas:core:2.0:User'

const ofCore = [
  'externalId',
  'name.formatted',
  'name.familyName',
  'name.givenName',
  'name.middleName',
  'name.honorificPrefix',
  'name.honorificSuffix',
  'displayName',
  'nickName',
  'profileUrl',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
]
const ofExtension = [
  'employeeNumber',
  'costCenter',
  'organization',
  'division',
  'department',
  'manager.value',
  'manager.displayName',
]

const paths = new Map(
  [
    ...ofCore,
    ...ofCore.map((path) => `${core}:${path}`),
    ...ofExtension.map((path) => `${extension}:${path}`),
  ].map((path) => [path.toLowerCase(), path]),
)

/** The path in its usual spelling. Undefined for a path that fills no attribute, such as that of a password. */
export const scimPathOf = (text: string): string | undefined => paths.get(text.toLowerCase())
