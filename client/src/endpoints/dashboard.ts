import type { Api } from '../api.ts'
import type { Activity, GetActivityQuery, Stats } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Statistics of the tenant in scope. */
export const dashboardEndpoints = ({ ask }: Api) => ({
  /**
   * Reads the statistics. Growth is in percent against 30 days ago, to one decimal. Online users were seen in the last 5
   * minutes, active users since 00:00 UTC. Needs `dashboard:read`.
   *
   * @throws ApiError 403 `permissionMissing`
   * @example
   * const { userCount, userGrowth } = await client.dashboard.stats()
   * console.log(`${userCount} users, ${userGrowth} %`)
   */
  stats: (options?: CallOptions) => ask<Stats>('GET', '/dashboard/stats', {}, options),

  /**
   * Counts sign-ups and active users on each of the last days (UTC; 30 days unless `days` says otherwise), oldest first.
   * Users that were deleted since count among the active users only. Needs `dashboard:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * const { items } = await client.dashboard.activity({ days: 7 })
   * for (const { date, sign_ups, active_users } of items) console.log(date, sign_ups, active_users)
   */
  activity: (query: GetActivityQuery = {}, options?: CallOptions) =>
    ask<Activity>('GET', '/dashboard/activity', { query }, options),
})
