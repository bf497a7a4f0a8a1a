import type { ClientBase } from 'pg'
import type { Snapshot } from './client.ts'
import type { Embedded } from './embedded.ts'
import { appliedNames } from './migrate.ts'

export type CopyTo = Embedded['copyTo']

/**
 * Copies the embedded database's files into a new folder. The caller holds the only session, so no transaction is open.
 * After the checkpoint, a reader of the copy need not replay the log.
 */
export async function takeSnapshot(client: ClientBase, copyTo: CopyTo, folder: string): Promise<Snapshot> {
  await client.query('checkpoint')
  const migrations = await appliedNames(client)
  await copyTo(folder)
  return { migrations }
}
