import { ApiError, type Client } from '../client.ts'

/** Answers of the catalogue about a code, and not of something between. */
const unknown = new Set(['unknownPermission', 'invalidInput'])

/** Asks Tenantry once for each permission code whether its catalogue has it. Where no answer came, it asks again. */
export const createCodes = (client: Client, log: (message: string) => void) => {
  const asked = new Map<string, Promise<boolean>>()

  const ask = async (code: string): Promise<boolean> => {
    try {
      await client.authz.check({ permissions: [code] })
      return true
    } catch (err) {
      if (!(err instanceof ApiError && unknown.has(err.reason))) throw err
      log(`The catalogue of Tenantry has no permission '${code}': its routes answer 500 until a restart`)
      return false
    }
  }

  return (code: string): Promise<boolean> => {
    const known = asked.get(code)
    if (known) return known
    const answer = ask(code)
    asked.set(code, answer)
    answer.catch(() => asked.delete(code))
    return answer
  }
}
