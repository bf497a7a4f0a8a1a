import type { Api } from '../api.ts'
import type { Stats } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Figures about the tenant in scope. */
export const dashboardEndpoints = ({ ask }: Api) => ({
  /**
   * Reads the figures. Growth is in percent against 30 days ago, to one decimal; online is who was seen in the last 5
   * minutes, active who was since 00:00 UTC. Needs `dashboard:read`.
   *
   * @throws ApiError 403 `permissionMissing`
   * @example
   * const { userCount, userGrowth } = await client.dashboard.stats()
   * console.log(`${userCount} users, ${userGrowth} %`)
   */
  stats: (options?: CallOptions) => ask<Stats>('GET', '/dashboard/stats', {}, options),
})
