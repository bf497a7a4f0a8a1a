import { join } from 'node:path'
import { refuteNothing } from '../../attack.ts'
import { newTenant, ok, unique } from '../../../lab/client.ts'
import { runCommand, startReplica } from '../../../lab/replica.ts'
import { forgeExport } from '../../forged-export.ts'
import { smtpMailbox } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import { ownStores, ownTarget, type Stores } from '../../target.ts'
import * as people from './stage.ts'
import { codes, newAddress, otherPassword, password, publicUrl, unlessCode, type Stage } from './stage.ts'

const run = async (args: string[], env: Record<string, string>): Promise<void> => {
  const { code, output } = await runCommand(args, env)
  if (code !== 0) throw new Error(`tenantry ${args.join(' ')}: ${output}`)
}

/** A tenant of an installation that is stopped then: the embedded database has room for one process. */
const exportFrom = async (stores: Stores, file: string, addresses: string[]): Promise<void> => {
  const source = await ownTarget(stores, true)
  try {
    const { id } = await newTenant(source.root)
    for (const email of addresses) {
      const body = { email, username: unique('u'), password }
      ok(await source.root.call('POST', '/users', body, { tenant: id }))
    }
    await source.replica.stop()
    await run(['tenant', 'export', id, file], stores.env)
  } finally {
    await source.close()
  }
}

/** Imports the file into an installation of its own, and runs the work on it. */
const withImport = async (
  stage: Stage,
  stores: Stores,
  file: string,
  work: (stage: Stage) => Promise<string>,
): Promise<string> => {
  const mailbox = await smtpMailbox()
  const env = { ...stores.env, ...mailbox.env, TENANTRY_PUBLIC_URL: publicUrl }
  const target = await ownTarget({ ...stores, env }, true)
  try {
    await target.replica.stop()
    await run(['tenant', 'import', file], env)
    const replica = await startReplica(env)
    try {
      const root = target.root.at(replica.url)
      return await work({ ...stage, env, urls: [replica.url], root, mailbox, home: await newTenant(root) })
    } finally {
      await replica.stop()
    }
  } finally {
    await target.close()
    await mailbox.close()
  }
}

/** The person of the planted account gives it an own password, which made an owner of a forged proof. */
const useForged = async (
  stage: Stage,
  { planted, forger, victim }: { planted: string; forger: string; victim: string },
): Promise<string> => {
  const session = await people.openSession(stage, planted)
  ok(await session.call('POST', '/password', { old_password: password, new_password: otherPassword }))
  const token = await people.invite(stage, stage.home.admin, { email: planted })
  const accepted = await people.accept(stage, token, { password: otherPassword })
  refuteNothing(unlessCode('joining an account that a file calls owned', accepted, codes.newPasswordNeeded))
  await people.register(stage, victim)
  await people.resetToken(stage, forger)
  return 'a planted account had no owner, and the address of a victim was free'
}

/** One account of the file claims the proof of a mailbox, and the folded address of another one is a victim's. */
const proveForged = async (stage: Stage): Promise<string> => {
  const [planted, forger, victim] = [newAddress(), newAddress(), newAddress()]
  const kind = stage.env['DATABASE_URL'] === undefined ? 'embedded' : 'services'
  const file = join(stage.folder, `${unique('forged')}.tgz`)
  await exportFrom(await ownStores(kind), file, [planted, forger])
  const asVictim = (row: Record<string, unknown>) =>
    row['email'] === forger ? { ...row, email_folded: victim } : row
  await forgeExport(file, {
    '02-accounts': (row) => asVictim(row['email'] === planted ? { ...row, proved_email: planted } : row),
    '03-users': asVictim,
  })
  const work = (own: Stage) => useForged(own, { planted, forger, victim })
  return withImport(stage, await ownStores(kind), file, work)
}

export const proveForgedFiles = (stage: Stage, prove: Prove): Promise<void> =>
  prove('an imported file proves nothing, and its folded addresses count for nothing', () =>
    proveForged(stage),
  )
