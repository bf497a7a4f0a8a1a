/** DNS TXT records, by which a tenant proves that it controls a domain (docs/contract.md, "Enterprise sign-in"). */
import { Resolver } from 'node:dns/promises'
import { within } from './exchange.ts'

/** The texts of all TXT records of a name. The strings of a record are joined. Throws if no server answers. */
export type ReadTexts = (name: string) => Promise<string[]>

const answerMs = 5000

/** The answers that mean that there is no record. */
const absent = new Set(['ENOTFOUND', 'ENODATA'])

/** Asks `servers`, or the machine's servers if the list is empty. A look-up ends after 5 seconds. */
export const textsBy = (servers: string[]): ReadTexts => {
  const options = { timeout: 2000, tries: 2 }
  return (name) => {
    // Each look-up has a resolver of its own, because `cancel` ends all look-ups of a resolver.
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
