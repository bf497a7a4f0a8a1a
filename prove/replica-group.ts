import { signIn, type Session } from '../lab/client.ts'
import { startReplica, type Replica } from '../lab/replica.ts'

/** Replicas on the same stores that one proof started and ends; it may break them. */
export interface Group {
  replicas: Replica[]
  urls: string[]
  /** The platform administrator, signed in at the first replica. */
  root: Session
}

const rootAt = (url: string, env: Record<string, string>): Promise<Session> =>
  signIn(url, env['TENANTRY_ADMIN_EMAIL'] ?? '', env['TENANTRY_ADMIN_PASSWORD'] ?? '')

/** Ends replicas in any state: a broken promise must leave no process behind. */
const endAll = async (replicas: Replica[]): Promise<void> => {
  for (const replica of replicas) {
    replica.signal('SIGCONT')
    replica.signal('SIGKILL')
  }
  await Promise.all(replicas.map(({ exited }) => exited))
}

/** Runs a proof on this many replicas. */
export const withReplicas = async (
  env: Record<string, string>,
  count: number,
  proof: (group: Group) => Promise<string>,
): Promise<string> => {
  const starts = await Promise.allSettled(Array.from({ length: count }, () => startReplica(env)))
  const replicas = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  try {
    const urls = replicas.map(({ url }) => url)
    if (urls.length < count) throw new Error(`only ${urls.length} of ${count} replicas started`)
    return await proof({ replicas, urls, root: await rootAt(urls[0] ?? '', env) })
  } finally {
    await endAll(replicas)
  }
}
