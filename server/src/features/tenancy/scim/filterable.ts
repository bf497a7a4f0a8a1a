/** The attributes that filters can use. filter.sql.ts has their columns under the same names. */
import { groupKind, userKind } from './attributes.ts'
import type { Columns } from './predicates.ts'

const times = { 'meta.created': 'time', 'meta.lastModified': 'time' } as const
const ids = { id: 'id', externalId: 'exact' } as const

export const filterableOfUser: Columns = {
  kind: userKind,
  types: {
    ...ids,
    ...times,
    userName: 'folded',
    displayName: 'folded',
    active: 'boolean',
    'name.formatted': 'folded',
    'name.familyName': 'folded',
    'name.givenName': 'folded',
    'name.middleName': 'folded',
    'name.honorificPrefix': 'folded',
    'name.honorificSuffix': 'folded',
    department: 'folded',
    employeeNumber: 'folded',
    'manager.value': 'exact',
    'manager.displayName': 'folded',
    'emails.value': 'folded',
    'emails.display': 'folded',
    'emails.type': 'folded',
    'emails.primary': 'boolean',
    'groups.value': 'id',
  },
  lists: ['emails', 'groups'],
}

export const filterableOfGroup: Columns = {
  kind: groupKind,
  types: { ...ids, ...times, displayName: 'folded', 'members.value': 'id' },
  lists: ['members'],
}
