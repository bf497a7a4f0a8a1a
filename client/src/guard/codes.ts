import { ApiError, type Client } from '../client.ts'

/** Errors by which the catalogue denies a code. Any other error proves nothing about the code. */
const unknownCodeReasons = new Set(['unknownPermission', 'invalidInput'])

/** Asks Tenantry once per permission code whether its catalogue has it. A failed question is asked again. */
export const createCodes = (client: Client, log: (message: string) => void) => {
  const asked = new Map<string, Promise<boolean>>()

  const ask = async (code: string): Promise<boolean> => {
    try {
      await client.authz.check({ permissions: [code] })
      return true
    } catch (err) {
      if (!(err instanceof ApiError && unknownCodeReasons.has(err.reason))) throw err
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
