/** Two replicas behind a proxy, and an account that is signed in. */
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, start } from '../../server/test/programs.ts'
import { email, password, sender, type Caller } from './load.ts'
import type { StartProxy } from './proxy.ts'

export interface Scene extends Caller {
  replicas: [Replica, Replica]
  /** Starts the replica anew on its port, also from another entry. */
  restart: (index: 0 | 1, entry?: string) => Promise<void>
  /** Ends the proxy. */
  close: () => Promise<void>
}

/** A proxy asks once a second which replicas live, and waits three seconds for the answer. */
export const noticeMs = 5000

/** Starts two replicas on these stores, from this repository or another entry. */
export const setScene = async (
  startProxy: StartProxy,
  folder: string,
  env: Record<string, string>,
  entry?: string,
): Promise<Scene> => {
  const ports: [number, number] = [await freePort(), await freePort()]
  const startAt = (port: number, from = entry) =>
    start({ ...env, PORT: String(port), TENANTRY_TRUSTED_PROXIES: '127.0.0.1' }, from)
  const replicas: [Replica, Replica] = [await startAt(ports[0]), await startAt(ports[1])]
  const account = { email, username: 'root', password }
  const registered = await ask(replicas[0], 'POST /auth/register', { body: account })
  const { access_token: token } = registered.body.data
  const me = await ask(replicas[0], 'GET /authz/permissions', { token })
  const proxy = await startProxy(folder, ports)
  return {
    send: sender(proxy),
    replicas,
    token,
    tenant: me.body.data.tenant_id,
    restart: async (index, from) => void (replicas[index] = await startAt(ports[index], from)),
    close: proxy.stop,
  }
}
