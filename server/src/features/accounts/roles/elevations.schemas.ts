import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, OneOf, Page, pageFields, Time } from '../../../http/schemas.ts'
import { EndTime, ExpiresAt, Ref } from './assignments.schemas.ts'

const Minutes = (description: string) =>
  Type.Integer({ minimum: 5, maximum: 480, description, examples: [60] })

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  'x-trim': true,
  examples: ['Ticket 4711: the export of March'],
})

export const EligibleRole = Type.Object(
  {
    role: Ref,
    max_minutes: Minutes('The longest elevation.'),
    given_by: Ref,
    given_at: Time,
    expires_at: EndTime,
  },
  { title: 'EligibleRole' },
)
export type EligibleRole = Static<typeof EligibleRole>

export const MakeEligible = Type.Object(
  {
    role_id: Id,
    max_minutes: Minutes('The longest elevation.'),
    expires_at: Type.Optional({
      ...ExpiresAt,
      description: '5 minutes to 400 days ahead. From then on the user is not eligible.',
    }),
  },
  { title: 'MakeEligible' },
)
export type MakeEligible = Static<typeof MakeEligible>

export const Elevation = Type.Object(
  {
    id: Id,
    user: Ref,
    role: Ref,
    reason: Type.String({ examples: ['Ticket 4711: the export of March'] }),
    status: OneOf('active', 'over'),
    started_at: Time,
    ends_at: Time,
  },
  { title: 'Elevation' },
)
export type Elevation = Static<typeof Elevation>

export const StartElevation = Type.Object(
  { role_id: Id, minutes: Minutes('At most `max_minutes` of the eligibility.'), reason: Reason },
  { title: 'StartElevation' },
)
export type StartElevation = Static<typeof StartElevation>

export const ElevationQuery = Type.Object({
  ...pageFields,
  status: Type.Optional({ ...OneOf('active', 'over'), description: 'Only elevations of this status.' }),
  user_id: Type.Optional({ ...Id, description: 'Only elevations of this user.' }),
})
export type ElevationQuery = Static<typeof ElevationQuery>

export const ElevationPage = Page(Elevation)
