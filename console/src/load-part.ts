import { ApiError } from '@tenantry/client'

/** As Chromium, Firefox, Safari and Vite say that a part of the console is not there. */
export const isPartMissing = (error: unknown): error is Error =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|preload CSS/.test(error.message)

/**
 * Loads a page or another part, or says that the network is away. One that cannot be loaded is taken for one that an
 * upgrade has replaced, and the whole window is loaded anew: without a network that would lose what is there.
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
