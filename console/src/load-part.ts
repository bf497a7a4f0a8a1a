import { ApiError } from '@tenantry/client'

/** Chromium, Firefox, Safari and Vite word this error differently. */
export const isPartMissing = (error: unknown): error is Error =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|preload CSS/.test(error.message)

/**
 * Loads a part of the console. A failure without a network becomes a `network` error: reloading would lose the page.
 * With a network, an upgrade has replaced the part, and `lazyPart` reloads the page.
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
