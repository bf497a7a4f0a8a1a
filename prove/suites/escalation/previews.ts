import { patiently } from '../../attack.ts'
import { askPreview, makeChange, type Change } from '../../changes.ts'
import { ok, type Session } from '../../../lab/client.ts'
import { idsOf, type Stage } from './stage.ts'

interface Pair {
  by: Session
  change: Change
}

const replacing = (by: Session, role_id: number, permission_ids: number[]): Pair => ({
  by,
  change: { kind: 'replace_permissions', role_id, permission_ids },
})
const assigning = (by: Session, user_id: number, role_id: number): Pair => ({
  by,
  change: { kind: 'assign_role', user_id, role_id },
})
const unassigning = (by: Session, user_id: number, role_id: number): Pair => ({
  by,
  change: { kind: 'unassign_role', user_id, role_id },
})
const deleting = (by: Session, role_id: number): Pair => ({ by, change: { kind: 'delete_role', role_id } })
const disabling = (by: Session, user_id: number): Pair => ({
  by,
  change: { kind: 'set_user_status', user_id, status: 0 },
})

/** Changes that their endpoints refuse. */
const refusedPairs = ({ clerk, admin, member, permissions, ...roles }: Stage): Pair[] => {
  const { emptyRole, higherRole, adminRole, platformRole } = roles
  return [
    replacing(clerk, emptyRole, idsOf(permissions, ['audit:read'])),
    replacing(clerk, higherRole, []),
    replacing(admin, adminRole, []),
    replacing(admin, emptyRole, idsOf(permissions, ['tenant:read'])),
    replacing(admin, platformRole, []),
    assigning(clerk, member.userId, higherRole),
    assigning(clerk, clerk.userId, adminRole),
    assigning(admin, member.userId, platformRole),
    unassigning(clerk, admin.userId, adminRole),
    deleting(clerk, higherRole),
    deleting(admin, adminRole),
    disabling(clerk, admin.userId),
    disabling(admin, admin.userId),
  ]
}

/** Changes that an administrator may make, in an order in which each is possible. */
const allowedChanges = ({ admin, member, clerkRole, emptyRole, permissions }: Stage): Change[] =>
  [
    replacing(admin, emptyRole, idsOf(permissions, ['audit:read'])),
    assigning(admin, member.userId, emptyRole),
    replacing(admin, clerkRole, []),
    deleting(admin, clerkRole),
    unassigning(admin, member.userId, emptyRole),
    disabling(admin, member.userId),
  ].map(({ change }) => change)

const compare = async ({ by, change }: Pair): Promise<string[]> => {
  const real = await makeChange(by, change)
  const { refused } = ok(await askPreview(by, [change]))
  const isSame = real.status !== 200 && refused?.error.code === real.body?.code
  return isSame
    ? []
    : [`${JSON.stringify(change)} answers ${real.text.slice(0, 120)}, its preview ${JSON.stringify(refused)}`]
}

/** A preview names the error of each refused change, and what an allowed one would do; the caller sees what it changed. */
export const provePreviews = async (stage: Stage) => {
  const pairs = refusedPairs(stage)
  const breaches: string[] = []
  for (const pair of pairs) breaches.push(...(await compare(pair)))
  const changes = allowedChanges(stage)
  const { refused, affected_users: affected } = ok(await askPreview(stage.admin, changes))
  if (refused !== null || affected < 2) breaches.push(`${affected} affected, ${JSON.stringify(refused)}`)
  const { status } = await patiently(() => stage.member.call('GET', '/profile'))
  if (status !== 200) breaches.push(`a user whom a preview disabled gets ${status}`)
  return { breaches, done: `${pairs.length} changes refused alike, ${changes.length} previewed together` }
}
