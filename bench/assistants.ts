/** `npm run bench:assistants` compares a read by a tool with the request of its endpoint, both by the same key. */
import { runBesideProfile } from './beside-profile.ts'
import { roundsOfCaller } from './contender.ts'
import { api, asCaller, get, post, put, rootEmail, type Caller } from './service.ts'

const users = 30
const base = 'list of 20 users'
const tool = 'find_people'

const addUsers = async (root: Caller): Promise<void> => {
  for (let at = 0; at < users; at += 1) {
    const username = `bench-${at}`
    await post(root, '/users', {
      email: `${username}@example.com`,
      username,
      password: 'a password of the bench',
    })
  }
}

/** The headers of a service account with `user:read`. */
const headersOfKey = async (root: Caller): Promise<Record<string, string>> => {
  const account = await post(root, '/service-accounts', { name: 'bench' })
  const role = await post(root, '/rbac/roles', { name: 'bench' })
  const permissions: { id: number; code: string }[] = await get(root, '/rbac/permissions')
  const permission_ids = permissions.filter(({ code }) => code === 'user:read').map(({ id }) => id)
  await put(root, `/rbac/roles/${role.id}/permissions`, { permission_ids })
  await post(root, `/rbac/users/${account.id}/roles`, { role_id: role.id })
  const { secret } = await post(root, `/service-accounts/${account.id}/keys`, { name: 'bench' })
  return { authorization: `Bearer ${secret}` }
}

await runBesideProfile({
  name: 'assistants',
  description: 'measure a read by a tool beside the request of its endpoint',
  base,
  env: { TENANTRY_MCP: 'on' },
  targets: [{ name: 'the same by a tool', most: 1.5 }],
  async prepare(server) {
    const { id } = await post(await asCaller(server.url, rootEmail), '/org/tenants', {
      name: 'Bench',
      slug: 'bench',
    })
    const root = await asCaller(server.url, rootEmail, id)
    await addUsers(root)
    const headers = await headersOfKey(root)
    const { reading } = roundsOfCaller(server, async () => headers, api)
    const { sending } = roundsOfCaller(server, async () => ({
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }))
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } }
    return {
      [base]: reading('/users?page=1&page_size=20'),
      'the same by a tool': sending([{ method: 'POST', path: '/mcp', body }]),
    }
  },
  data: '',
})
