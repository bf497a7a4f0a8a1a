/** `npm run bench:settings` compares a hundred settings that count for a caller with the caller's own profile. */
import { runBesideProfile } from './beside-profile.ts'
import { call, roundsOfCaller } from './contender.ts'
import { api, asCaller, put, rootEmail } from './service.ts'

const count = 100
const path = '/settings/effective?prefix=bench.'

/** Declares the settings; of the half of them the tenant has a value. */
const declareAll = async (url: string): Promise<void> => {
  const root = await asCaller(url, rootEmail)
  const definition = {
    schema: { type: 'string' },
    default: 'a default',
    scopes: ['tenant', 'user'],
    public: true,
  }
  for (let at = 0; at < count; at += 1) {
    await put(root, `/settings/definitions/bench.${at}`, definition)
    if (at % 2 === 0) await put(root, `/settings/tenant/bench.${at}`, { value: `the value of setting ${at}` })
  }
  const { json } = await call(url, `${api}${path}`, { headers: root.headers })
  if (json.data.length !== count) throw new Error(`${json.data.length} settings count in place of ${count}`)
}

await runBesideProfile({
  name: 'settings',
  description: 'measure settings that count beside the own profile',
  // docs/declared-settings.md, "The effective value".
  targets: [{ name: '100 settings that count', most: 1.5 }],
  async prepare(server) {
    const { url } = server
    await declareAll(url)
    const { reading } = roundsOfCaller(server, async () => (await asCaller(url, rootEmail)).headers, api)
    return { 'own profile': reading('/profile'), '100 settings that count': reading(path) }
  },
  data: '',
})
