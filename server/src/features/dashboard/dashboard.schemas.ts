import { Type, type Static } from 'typebox'

const Count = Type.Integer({ minimum: 0, examples: [12] })
const Growth = Type.Number({
  description: 'Percent by which the count today exceeds the count 30 days ago, to one decimal.',
  examples: [12.5],
})

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
