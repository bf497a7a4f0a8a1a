import type { ClientBase } from 'pg'
import type { Snapshot } from './client.ts'
import type { Embedded } from './embedded.ts'
import { appliedNames } from './migrate.ts'

export type CopyTo = Embedded['copyTo']

/**
 * Copies the embedded database's files into a folder that does not exist yet. The caller has the one session, so no
 * transaction is under way; the checkpoint spares whoever opens the copy from replaying the log.
 */
export async function takeSnapshot(client: ClientBase, copyTo: CopyTo, folder: string): Promise<Snapshot> {
  await client.query('checkpoint')
  const migrations = await appliedNames(client)
  await copyTo(folder)
  return { migrations }
}
