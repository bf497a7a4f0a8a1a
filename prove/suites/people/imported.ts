import { join } from 'node:path'
import { refuteNothing } from '../../attack.ts'
import { newTenant, ok, unique } from '../../../lab/client.ts'
import { runCommand } from '../../../lab/replica.ts'
import { mailedToken } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import * as people from './stage.ts'
import { codes, newAddress, otherPassword, password, unlessCode, type Stage } from './stage.ts'
import { prepare, requireClean } from './prepared.ts'

const run = async (args: string[], env: Record<string, string>): Promise<void> => {
  const { code, output } = await runCommand(args, env)
  if (code !== 0) throw new Error(`tenantry ${args.join(' ')}: ${output}`)
}

const forged = 'a password of the forger'

/** Exports a tenant of another installation, with users of these addresses, and imports it here. */
const importTenant = async ({ elsewhere, env, folder }: Stage, addresses: Record<string, string>) => {
  const { id } = await newTenant(elsewhere.root)
  for (const [email, given] of Object.entries(addresses)) {
    const body = { email, username: unique('u'), password: given }
    ok(await elsewhere.root.call('POST', '/users', body, { tenant: id }))
  }
  const file = join(folder, `${id}.tgz`)
  await run(['tenant', 'export', id, file], elsewhere.env ?? {})
  await run(['tenant', 'import', file], env)
}

/** One user of the import has an account here, and the other one has none. */
const proveImport = async (stage: Stage): Promise<string> => {
  const [stranger, person] = [newAddress(), await people.newPerson(stage)]
  const used = await mailedToken(stage.mailbox, person.email, 'accept-invitation')
  await importTenant(stage, { [stranger]: password, [person.email]: forged })
  const { status } = await people.logIn(stage, person.email, forged)
  const memberships = ok(await person.call('GET', '/auth/memberships')) as object[]
  if (status !== 401) throw new Error(`the imported password opens an account that existed: ${status}`)
  if (memberships.length !== 1) throw new Error('an import made a person the user of a tenant')
  const invitation = await mailedToken(stage.mailbox, person.email, 'accept-invitation', used)
  const accepted = await people.accept(stage, invitation, { password: forged })
  if (accepted.status !== 401) throw new Error(`the imported password accepts: ${accepted.status}`)
  const trap = await prepare(stage, await people.openSession(stage, stranger))
  const token = await people.invite(stage, stage.home.admin, { email: stranger })
  refuteNothing(unlessCode('joining by it', await people.accept(stage, token), codes.newPasswordNeeded))
  ok(await people.accept(stage, token, { new_password: otherPassword }))
  await requireClean(stage, trap)
  return 'a known address was invited, and kept its password; an unknown one came without an owner, and was clean after the first proof'
}

/** The embedded database serves one process, so no command runs beside the service: a test of the server imports there. */
export const proveImported = async (stage: Stage, prove: Prove): Promise<void> => {
  if (stage.env['DATABASE_URL'] === undefined) return
  await prove('an import attaches nobody to an account, and brings none with an owner', () =>
    proveImport(stage),
  )
}
