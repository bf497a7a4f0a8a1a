import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, OneOf } from '../../../http/schemas.ts'

const TimeOrNever = (description: string) =>
  Type.String({ description, examples: ['2026-01-31T09:30:00.000Z'] })

export const Domain = Type.Object(
  {
    id: Id,
    domain: Type.String({ examples: ['example.com'] }),
    status: {
      ...OneOf('pending', 'verified', 'lapsed'),
      description:
        '`lapsed`: the record was not there for 7 days. Known people go on, and nobody new is linked by the domain.',
    },
    record_name: Type.String({
      description: 'The name of the TXT record.',
      examples: ['_tenantry-challenge.example.com'],
    }),
    record_value: Type.String({
      description: 'The text of the TXT record.',
      examples: ['tenantry-domain-verification=3q2hWb1xT0mZ8yQf5vN7Lw'],
    }),
    verified_at: TimeOrNever('ISO 8601 in UTC; "" before the first proof.'),
    checked_at: TimeOrNever('When the service last looked; "" before that.'),
  },
  { title: 'Domain' },
)
export type Domain = Static<typeof Domain>

export const LookedAtDomain = Type.Object(
  {
    ...Domain.properties,
    found: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description:
        'The first 10 TXT values of that name, 255 characters of each; null if no DNS server answers.',
      examples: [['v=spf1 -all']],
    }),
  },
  { title: 'LookedAtDomain' },
)
export type LookedAtDomain = Static<typeof LookedAtDomain>

export const CreateDomain = Type.Object(
  {
    domain: Type.String({
      minLength: 3,
      maxLength: 230,
      'x-trim': true,
      description:
        'Other scripts as `xn--`. Capitals and a dot at its end do not count. A subdomain is a domain of its own.',
      examples: ['example.com'],
    }),
  },
  { title: 'CreateDomain' },
)
export type CreateDomain = Static<typeof CreateDomain>
