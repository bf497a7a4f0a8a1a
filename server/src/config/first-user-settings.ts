import { email, matching, oneOf, wholeNumber } from './config-values.ts'

/** Settings for the first administrator, and for the registration of strangers. */
export const firstUserSettings = {
  adminEmail: {
    name: 'TENANTRY_ADMIN_EMAIL',
    meaning:
      'E-mail of the first platform administrator, whom the start creates on an empty database. Needs TENANTRY_ADMIN_PASSWORD.',
    read: email,
  },
  adminPassword: {
    name: 'TENANTRY_ADMIN_PASSWORD',
    meaning: 'Password of that administrator: 8 to 128 characters.',
    read: matching(/^.{8,128}$/su, 'must have 8 to 128 characters'),
  },
  adminUsername: {
    name: 'TENANTRY_ADMIN_USERNAME',
    unset: 'admin',
    meaning: 'Username of that administrator.',
    read: matching(/^[\w.@+-]{3,64}$/, 'must have 3 to 64 characters out of letters, digits and . _ - @ +'),
  },
  firstUserAdmin: {
    name: 'TENANTRY_FIRST_USER_ADMIN',
    unset: 'true when embedded, false with DATABASE_URL',
    meaning: '`true`: the first account that registers on an empty database becomes platform administrator.',
    read: oneOf('true', 'false'),
  },
  signUp: {
    name: 'TENANTRY_SIGN_UP',
    unset: 'user',
    meaning:
      '`user`: anybody may register a user of the built-in tenant. `organization`: anybody may create an organization of ' +
      'their own, by a mailed link. `closed`: neither (403).',
    read: oneOf('user', 'organization', 'closed'),
  },
  registration: {
    name: 'TENANTRY_REGISTRATION',
    unset: 'unset',
    meaning: 'The older name of TENANTRY_SIGN_UP: `open` is `user`, `closed` is `closed`.',
    read: oneOf('open', 'closed'),
  },
  signUpsPerHour: {
    name: 'TENANTRY_SIGN_UPS_PER_HOUR',
    default: '100',
    meaning:
      'Organizations that people may create within an hour, over the whole installation; beyond them the answer is 429.',
    read: wholeNumber(1, 1_000_000),
  },
  organizationsPerPerson: {
    name: 'TENANTRY_ORGANIZATIONS_PER_PERSON',
    default: '3',
    meaning: 'Organizations of one person who created them; beyond them the answer is 403.',
    read: wholeNumber(1, 1_000_000),
  },
}
