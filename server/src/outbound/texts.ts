/** TXT records of DNS, by which a tenant proves that it controls a domain (docs/contract.md, "Enterprise sign-in"). */
import { Resolver } from 'node:dns/promises'
import { within } from './exchange.ts'

/** The texts of all TXT records of a name, each with its strings joined. Throws when no server gives an answer. */
export type ReadTexts = (name: string) => Promise<string[]>

const answerMs = 5000

/** Answers that say that there is no record. */
const absent = new Set(['ENOTFOUND', 'ENODATA'])

/** Asks `servers`, or those of the machine without any. A look-up ends after 5 seconds. */
export const textsBy = (servers: string[]): ReadTexts => {
  const options = { timeout: 2000, tries: 2 }
  return (name) => {
    // A resolver of its own: `cancel` ends all look-ups of one.
    const resolver = new Resolver(options)
    if (servers.length > 0) resolver.setServers(servers)
    return within(answerMs, (signal) => {
      signal.addEventListener('abort', () => resolver.cancel())
      return resolver.resolveTxt(name).then(
        (records) => records.map((strings) => strings.join('')),
        (err: unknown) => {
          if (absent.has((err as NodeJS.ErrnoException).code ?? '')) return []
          throw err
        },
      )
    })
  }
}
