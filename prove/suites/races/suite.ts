import { patiently, refuteNothing, removeTenants } from '../../attack.ts'
import { newUser, ok, unique, type Session } from '../../../lab/client.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { readAll } from '../input/journal.ts'
import { proveCounts } from './counts.ts'
import { creations, proveEqual, proveSets, proveSetting, proveStorm } from './names.ts'
import { proveReadingOn, proveTotals } from './totals.ts'
import { adminAt, only, openStage, statusesOf, type Stage } from './stage.ts'

const width = 16

/** Assigns and takes back a role at once, many times: the acknowledged changes have to add up to the present state. */
const proveAssignments = async (stage: Stage): Promise<string> => {
  const { root, tenant, target } = stage
  const { id: role } = ok(await only(stage.admins).call('POST', '/rbac/roles', { name: unique('held') })) as {
    id: number
  }
  const [rounds, seen] = [target.short ? 5 : 40, { given: 0, taken: 0 }]
  const user = await newUser(root, tenant)
  const path = `/rbac/users/${user.userId}/roles`
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: width }, async (_, at) => {
        const by = adminAt(stage, at)
        const isGiven = at % 2 === 0
        const send = () =>
          isGiven ? by.call('POST', path, { role_id: role }) : by.call('DELETE', `${path}/${role}`)
        return { isGiven, status: (await patiently(send)).status }
      }),
    )
    if (answers.some(({ isGiven, status }) => status !== 200 && status !== (isGiven ? 409 : 404))) {
      throw new Error(`answers ${statusesOf(answers)}`)
    }
    const done = answers.filter(({ status }) => status === 200)
    seen.given += done.filter(({ isGiven }) => isGiven).length
    seen.taken += done.filter(({ isGiven }) => !isGiven).length
    const held: { id: number }[] = ok(await root.call('GET', path, undefined, { tenant }))
    const times = held.filter(({ id }) => id === role).length
    if (times !== seen.given - seen.taken) {
      throw new Error(`given ${seen.given}, taken ${seen.taken}, held ${times} times`)
    }
  }
  await requireRecords(stage, role, seen)
  return `${rounds} × ${width} at once: given ${seen.given} and taken ${seen.taken} times, in turns, each on record once; the rest 409 and 404`
}

interface Log {
  id: number
  action: string
  resource_id: string
}

/** The log has to show assignments and removals alternately, as often as they were acknowledged. */
const requireRecords = async (
  { root, tenant }: Stage,
  role: number,
  { given, taken }: { given: number; taken: number },
): Promise<void> => {
  const { items } = await readAll<Log>(root, tenant, '/audit/logs?resource=role')
  const actions = items
    .filter((log) => log.resource_id === String(role))
    .filter(({ action }) => /^role\.(assign|unassign)$/.test(action))
    .toSorted((a, b) => a.id - b.id)
    .map(({ action }) => action)
  const count = (wanted: string) => actions.filter((action) => action === wanted).length
  refuteNothing([
    ...(count('role.assign') === given && count('role.unassign') === taken
      ? []
      : [`${actions.length} records of ${given + taken} changes`]),
    ...actions.flatMap((action, at) => (action === actions[at - 1] ? [`${action} twice in a row`] : [])),
  ])
}

const unread = async (reader: Session): Promise<number> =>
  (ok(await patiently(() => reader.call('GET', '/notifications/unread-count'))) as { count: number }).count

const send = async (by: Session, userId: number): Promise<number> => {
  const body = { user_id: userId, title: unique('note') }
  return (ok(await patiently(() => by.call('POST', '/notifications', body))) as { id: number }).id
}

/** Sends, reads and deletes notifications at once: none is counted twice or lost. */
const proveUnread = async (stage: Stage): Promise<string> => {
  const reader = await newUser(stage.root, stage.tenant)
  const rounds = stage.target.short ? 5 : 40
  const numbers = { sent: 0, read: 0, deleted: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const first = await Promise.all(
      Array.from({ length: width }, (_, at) => send(adminAt(stage, at), reader.userId)),
    )
    const [more] = await Promise.all([
      Promise.all(Array.from({ length: width }, (_, at) => send(adminAt(stage, at), reader.userId))),
      // Each one is read twice: the second read changes nothing.
      ...first
        .slice(0, 8)
        .flatMap((id) =>
          [0, 1].map(async () => ok(await patiently(() => reader.call('PUT', `/notifications/${id}/read`)))),
        ),
      ...first
        .slice(8, 12)
        .map(async (id) => ok(await patiently(() => reader.call('DELETE', `/notifications/${id}`)))),
    ])
    numbers.sent += first.length + more.length
    numbers.read += 8
    numbers.deleted += 4
    const [told, expected] = [await unread(reader), numbers.sent - numbers.read - numbers.deleted]
    if (told !== expected) throw new Error(`the unread count is ${told} instead of ${expected}`)
  }
  const list = await readAll<{ is_read: boolean }>(
    reader,
    stage.tenant,
    `/notifications/user/${reader.userId}`,
  )
  const listed = list.items.filter((note) => !note.is_read).length
  if (listed !== (await unread(reader)) || list.total !== numbers.sent - numbers.deleted) {
    throw new Error(`the list has ${list.total}, ${listed} of them unread`)
  }
  await requireAllRead(stage, reader)
  return `${numbers.sent} sent, ${numbers.read} read and ${numbers.deleted} deleted at once in ${rounds} rounds: the count is exact after each, and equals the list`
}

/** A notification sent while all are being marked read is either read or counted. */
const requireAllRead = async (stage: Stage, reader: Session): Promise<void> => {
  const sends = Array.from({ length: width }, (_, at) => send(adminAt(stage, at), reader.userId))
  const marked = patiently(() => reader.call('PUT', '/notifications/read-all'))
  await Promise.all([...sends, marked.then(ok)])
  const list = await readAll<{ is_read: boolean }>(
    reader,
    stage.tenant,
    `/notifications/user/${reader.userId}`,
  )
  const [listed, told] = [list.items.filter((note) => !note.is_read).length, await unread(reader)]
  if (listed !== told || told > width) {
    throw new Error(`after marking all as read the unread count is ${told}, the list has ${listed}`)
  }
}

const proveAll = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('a storm of refreshes leaves one living session', () => proveStorm(stage))
  for (const [what, make] of Object.entries(creations)) {
    await prove(`${what} many times at once exists once`, () => proveEqual(stage, make(stage)))
  }
  await prove('many clients replace a permission set: one set stands whole and the log has no gap', () =>
    proveSets(stage),
  )
  await prove('a role assigned and taken at once is held as the answers said', () => proveAssignments(stage))
  await prove('a setting that many clients write at once has the last value of the log', () =>
    proveSetting(stage),
  )
  await prove('the unread count is exact while notifications are sent, read and deleted at once', () =>
    proveUnread(stage),
  )
  await prove('lists, totals, counters and audit are exact after mixed writes from 32 clients', () =>
    proveCounts(stage),
  )
  await prove('lists read on by id skip no row and repeat none while other clients write', () =>
    proveReadingOn(stage),
  )
  // The short form writes too few records for it.
  if (!stage.target.short) {
    await prove('a total above 10,000 is exact within 5 s, and a filtered one stops there and says so', () =>
      proveTotals(stage),
    )
  }
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  const stage = await openStage(target)
  try {
    await proveAll(stage, record)
  } finally {
    await removeTenants(target.root, [stage.tenant])
  }
}

export const races: Suite = { name: 'races', kinds: ['embedded', 'services', 'given'], prove }
