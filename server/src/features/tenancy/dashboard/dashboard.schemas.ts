import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'

const Count = Type.Integer({ minimum: 0, examples: [12] })
const Growth = Type.Number({
  description:
    'Percent by which the count now exceeds the count at the end of the day (UTC) 30 days ago, to one decimal.',
  examples: [12.5],
})

export const ActivityQuery = Type.Object({
  days: Type.Integer({
    minimum: 7,
    maximum: 90,
    default: 30,
    description: 'How many days, the last of which is today.',
    examples: [30],
  }),
})
export type ActivityQuery = Static<typeof ActivityQuery>

export const DayActivity = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The day in UTC.', examples: ['2026-01-31'] }),
    sign_ups: Type.Integer({
      minimum: 0,
      description: 'Users created on this day.',
      examples: [2],
    }),
    active_users: Type.Integer({
      minimum: 0,
      description: 'Users seen on this day.',
      examples: [12],
    }),
  },
  { title: 'DayActivity' },
)
export type DayActivity = Static<typeof DayActivity>

export const Activity = Type.Object({ items: Type.Array(DayActivity) }, { title: 'Activity' })
export type Activity = Static<typeof Activity>

export const Stats = Type.Object(
  {
    userCount: Count,
    roleCount: Count,
    tenantCount: Count,
    onlineCount: Count,
    todayActiveUsers: Count,
    userGrowth: Growth,
    roleGrowth: Growth,
    tenantGrowth: Growth,
  },
  { title: 'Stats' },
)
export type Stats = Static<typeof Stats>
