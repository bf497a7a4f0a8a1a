import { ApiError } from '@tenantry/client'

/**
 * Loads a page, or says that the network is away. The router takes a part that cannot be loaded for one that an update
 * has replaced, and loads the whole window anew: without a network that would lose what is there.
 */
export const loadPart =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    try {
      return await load()
    } catch (cause) {
      if (navigator.onLine) throw cause
      const message = 'The page cannot be loaded without a network'
      throw new ApiError({ status: 0, code: 0, reason: 'network', message, cause })
    }
  }
