import { ApiError } from '@tenantry/client'

/** Chromium, Firefox, Safari and Vite each report a missing part in their own words. */
export const isPartMissing = (error: unknown): error is Error =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|preload CSS/.test(error.message)

/**
 * Loads a page or another part of the console, or reports that the network is away. A part that fails while the
 * network works was replaced by an upgrade, so the window reloads. Without a network, reloading would lose the page.
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
