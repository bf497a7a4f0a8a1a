import { patiently, refuteNothing } from '../../attack.ts'
import type { Session } from '../../../lab/client.ts'
import { isRefusedFor, knock } from '../../knock.ts'
import { readOperations, type Operation } from '../../operations.ts'
import type { Prove } from '../../suite.ts'
import { machineWith, userWith, type Stage } from './stage.ts'

/** A kind of caller, and how to make and remove one. */
interface Kind {
  make: typeof userWith
  path: string
  /** A permission that each caller of the kind holds, because every new user is a member. */
  given?: string
}

const kinds: Record<string, Kind> = {
  user: { make: userWith, path: '/users', given: 'dashboard:read' },
  key: { make: machineWith, path: '/service-accounts' },
}

/** Makes a caller of the built-in tenant with these permissions, and removes it after `work`. */
const withCaller = async <T>(
  { root, builtIn }: Stage,
  { make, path }: Kind,
  permissions: number[],
  work: (by: Session) => Promise<T>,
): Promise<T> => {
  const { user, role } = await make(root, builtIn, permissions)
  try {
    return await work(user)
  } finally {
    await patiently(() => root.call('DELETE', `${path}/${user.userId}`))
    await patiently(() => root.call('DELETE', `/rbac/roles/${role}`))
  }
}

const isForEveryone = ({ permission }: Operation) => permission === 'caller' || permission === 'user'

/**
 * Knocks with only one permission, which opens exactly the operations that need it. Knocks at these with all permissions
 * but that one, too.
 */
const knockEverywhere = async (
  stage: Stage,
  kind: Kind,
  code: string,
  operations: Operation[],
): Promise<string[]> => {
  const ids = [...stage.permissions].filter(([one]) => one !== code).map(([, id]) => id)
  const breaches: string[] = []
  await withCaller(stage, kind, ids, (without) =>
    withCaller(stage, kind, [stage.permissions.get(code) ?? 0], async (only) => {
      for (const operation of operations) {
        const { method, path, permission } = operation
        const isNeeded = permission === code
        const lacking = isNeeded ? await knock(without, operation) : undefined
        if (lacking && !isRefusedFor(lacking, permission)) {
          breaches.push(`${method} ${path} without ${code} answers ${lacking.status}`)
        }
        const holding = await knock(only, operation)
        const opens = isNeeded || permission === kind.given
        if (isRefusedFor(holding, permission) === opens || holding.status === 401) {
          breaches.push(`${method} ${path} with only ${code} answers ${holding.status}`)
        }
      }
    }),
  )
  return breaches
}

/**
 * Lists the operations with the permission that the API description names for each. server/test/house.test.ts compares
 * the description with a copy of its own.
 */
const describedOperations = async ({ target }: Stage): Promise<Operation[]> =>
  (await readOperations(target.url)).map((one) => ({
    ...one,
    permission: /account$/i.test(one.permission) ? 'user' : one.permission,
  }))

const proveEach = async (stage: Stage, kind: Kind): Promise<string> => {
  const needing = (await describedOperations(stage)).filter((one) => !isForEveryone(one))
  // A permission that every caller of the kind holds cannot be taken away.
  const codes = [...stage.permissions.keys()].filter((code) => code !== kind.given)
  const breaches: string[] = []
  for (const code of codes) breaches.push(...(await knockEverywhere(stage, kind, code, needing)))
  refuteNothing(breaches)
  return `${needing.length} operations × ${codes.length} permissions, for a caller with only that one; each also for a caller with all but the one that it needs`
}

/** A key with every permission has no own account, and uses every other operation that needs none. */
const proveOwnAccount = async (stage: Stage): Promise<string> => {
  const operations = (await describedOperations(stage)).filter(isForEveryone)
  const breaches: string[] = []
  await withCaller(
    stage,
    { make: machineWith, path: '/service-accounts' },
    [...stage.permissions.values()],
    async (by) => {
      for (const operation of operations) {
        const { status } = await knock(by, operation)
        const isRight = operation.permission === 'user' ? status === 403 : status !== 403 && status !== 401
        if (!isRight) breaches.push(`${operation.method} ${operation.path} answers ${status}`)
      }
    },
  )
  refuteNothing(breaches)
  const own = operations.filter(({ permission }) => permission === 'user').length
  return `${own} operations about the own account refuse it, ${operations.length - own} others that need no permission let it pass`
}

export const proveMatrix = async (stage: Stage, prove: Prove): Promise<void> => {
  for (const [what, kind] of Object.entries(kinds)) {
    await prove(`every operation needs exactly the permission that its description names, of a ${what}`, () =>
      proveEach(stage, kind),
    )
  }
  await prove('a key with every permission has no own account', () => proveOwnAccount(stage))
}
