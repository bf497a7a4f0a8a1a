/** `npm run bench:flags` compares the evaluation of feature flags with the own profile of a remembered caller. */
import { runBesideProfile } from './beside-profile.ts'
import { roundsOfCaller } from './contender.ts'
import { api, asCaller, post, rootEmail, type Caller } from './service.ts'

const counts = { flags: 200, rules: 10 }

const range = (count: number): number[] => Array.from({ length: count }, (_none, at) => at)
const keyOf = (flag: number): string => `flag.${flag}`

/** Rules that a context passes by, and a split that takes it. */
const rulesOf = (flag: number) =>
  range(counts.rules).map((rule) =>
    rule < counts.rules - 1
      ? {
          conditions: [
            { attribute: 'plan', op: 'in', values: [`plan-${flag}-${rule}`, 'other'] },
            { attribute: 'version', op: 'semver_gte', values: ['2.0.0'] },
          ],
          serve: 'on',
        }
      : {
          split: [
            { variant: 'on', weight: 50_000 },
            { variant: 'off', weight: 50_000 },
          ],
        },
  )

const addFlags = async (root: Caller): Promise<void> => {
  for (const flag of range(counts.flags)) {
    await post(root, '/flags', {
      key: keyOf(flag),
      type: 'boolean',
      variants: { on: true, off: false },
      enabled: true,
      off_variant: 'off',
      default_variant: 'off',
      client_side: true,
      rules: rulesOf(flag),
    })
  }
}

const context = { targetingKey: 'user-7', plan: 'gold', version: '1.4.0', country: 'NZ' }

await runBesideProfile({
  name: 'flags',
  description: 'measure the evaluation of feature flags beside the own profile',
  targets: [
    { name: 'one flag', most: 1.2 },
    { name: 'all flags', most: 5 },
  ],
  /** The same caller asks all of them, so that only the work differs. */
  async prepare(server) {
    await addFlags(await asCaller(server.url, rootEmail))
    const caller = async () => (await asCaller(server.url, rootEmail)).headers
    const { reading } = roundsOfCaller(server, caller, api)
    const { sending } = roundsOfCaller(server, caller)
    const url = '/ofrep/v1/evaluate/flags'
    const asking = (below: string) => sending([{ method: 'POST', path: `${url}${below}`, body: { context } }])
    return { 'own profile': reading('/profile'), 'one flag': asking(`/${keyOf(7)}`), 'all flags': asking('') }
  },
  data: `${counts.flags} flags with ${counts.rules} rules each, of which the last one, a split, holds`,
})
