import { refuteNothing, removeTenants } from '../attack.ts'
import type { Prove, Suite } from '../suite.ts'
import type { Target } from '../target.ts'
import { doors, type Door } from './escalation-doors.ts'
import { proveLastAdmin } from './escalation-last-admin.ts'
import { proveMatrix, provePlatform } from './escalation-platform.ts'
import { proveRaces } from './escalation-races.ts'
import { proveRevocation } from './escalation-revocation.ts'
import { openStage, type Stage } from './escalation-stage.ts'
import { readAuthority } from '../authority-log.ts'

/** What was there before must be the same; what an attempt made besides may be there. */
const differences = <T>(what: string, before: Map<number, Set<T>>, after: Map<number, Set<T>>): string[] =>
  [...before].flatMap(([id, had]) => {
    const has = after.get(id) ?? new Set<T>()
    const added = [...has].filter((one) => !had.has(one)).join()
    const lost = [...had].filter((one) => !has.has(one)).join()
    return added === '' && lost === ''
      ? []
      : [`${what} ${id} gained ${added || 'nothing'} and lost ${lost || 'nothing'}`]
  })

/** Every attempt answers as it must, and afterwards everyone holds what they held. */
const proveDoors = async (stage: Stage, attempts: Door[]): Promise<string> => {
  const { root, tenant } = stage
  const before = await readAuthority(root, tenant)
  const breaches: string[] = []
  for (const { what, expected, open } of attempts) {
    const { status, text } = await open()
    if (!expected.includes(status)) breaches.push(`${what} answers ${status} ${text.slice(0, 120)}`)
  }
  const after = await readAuthority(root, tenant)
  breaches.push(
    ...differences('user', before.users, after.users),
    ...differences('role', before.roles, after.roles),
  )
  refuteNothing(breaches)
  return `${attempts.length} attempts refused; roles and assignments of the tenant as before`
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  const stage = await openStage(target)
  try {
    for (const [promise, attempts] of Object.entries(doors(stage))) {
      await record(promise, () => proveDoors(stage, attempts))
    }
    await provePlatform(stage, record)
    await proveMatrix(stage, record)
    await proveRaces(stage, record)
    await proveRevocation(stage, record)
    await proveLastAdmin(target, record)
  } finally {
    await removeTenants(target.root, [stage.tenant, stage.otherTenant])
  }
}

export const escalation: Suite = { name: 'escalation', kinds: ['embedded', 'services', 'given'], prove }
