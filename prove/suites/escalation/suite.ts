import { refuteNothing, removeTenants } from '../../attack.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { doors, type Door } from './doors.ts'
import { proveLastAdmin } from './last-admin.ts'
import { proveKeys } from './keys.ts'
import { proveMatrix } from './matrix.ts'
import { provePlatform } from './platform.ts'
import { provePreviews } from './previews.ts'
import { proveRaces } from './races.ts'
import { proveRevocation } from './revocation.ts'
import { openStage, type Stage } from './stage.ts'
import { proveTemplates } from './templates.ts'
import { readAuthority } from '../../authority-log.ts'

/** Lists earlier assignments that changed. Additions by an attempt are allowed. */
const differences = <T>(what: string, before: Map<number, Set<T>>, after: Map<number, Set<T>>): string[] =>
  [...before].flatMap(([id, had]) => {
    const has = after.get(id) ?? new Set<T>()
    const added = [...has].filter((one) => !had.has(one)).join()
    const lost = [...had].filter((one) => !has.has(one)).join()
    return added === '' && lost === ''
      ? []
      : [`${what} ${id} gained ${added || 'nothing'} and lost ${lost || 'nothing'}`]
  })

/** Makes attempts, which return breaches; afterwards every user holds the same permissions as before. */
const keepingAuthority = async (
  { root, tenant }: Stage,
  attempt: () => Promise<{ breaches: string[]; done: string }>,
): Promise<string> => {
  const before = await readAuthority(root, tenant)
  const { breaches, done } = await attempt()
  const after = await readAuthority(root, tenant)
  refuteNothing([
    ...breaches,
    ...differences('user', before.users, after.users),
    ...differences('role', before.roles, after.roles),
  ])
  return `${done}; roles and assignments of the tenant as before`
}

/** Every attempt gets its expected status. */
const tryDoors = async (attempts: Door[]) => {
  const breaches: string[] = []
  for (const { what, expected, open } of attempts) {
    const { status, text } = await open()
    if (!expected.includes(status)) breaches.push(`${what} answers ${status} ${text.slice(0, 120)}`)
  }
  return { breaches, done: `${attempts.length} attempts refused` }
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  const stage = await openStage(target)
  try {
    for (const [promise, attempts] of Object.entries(doors(stage))) {
      await record(promise, () => keepingAuthority(stage, () => tryDoors(attempts)))
    }
    await record('a preview refuses what its changes are refused, and changes nothing', () =>
      keepingAuthority(stage, () => provePreviews(stage)),
    )
    await provePlatform(stage, record)
    await proveTemplates(stage, record)
    await proveMatrix(stage, record)
    await proveRaces(stage, record)
    await proveRevocation(stage, record)
    await proveKeys(stage, record)
    await proveLastAdmin(target, record)
  } finally {
    await removeTenants(target.root, [stage.tenant, stage.otherTenant])
  }
}

export const escalation: Suite = { name: 'escalation', kinds: ['embedded', 'services', 'given'], prove }
