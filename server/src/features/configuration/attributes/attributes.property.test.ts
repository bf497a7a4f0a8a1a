/**
 * Nobody reads or writes an attribute beyond `self` and `administrators`, by any door. Random declarations and writes run
 * against a small model. Each value is unique, so that any text which has it shows who could read it.
 */
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { sealRecords } from '../../../../test/audit-chain.ts'
import { newDirectory, type TestDirectory } from '../../../../test/directories.ts'
import { openStream } from '../../../../test/event-streams.ts'
import { newTenant, ok, password, platformAdmin, unique, type Caller } from '../../../../test/factories.ts'
import { claimsOf, newApplication, newGrant, openSession } from '../../../../test/front-door.ts'
import { call, parts, type Answer } from '../../../../test/harness.ts'
import { attemptsOf, newConnection, personAt, signInBySso } from '../../../../test/sso.ts'
import { eventually } from '../../../../test/waits.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const paths = [
  'title',
  `${enterprise}:department`,
  `${enterprise}:costCenter`,
  `${enterprise}:employeeNumber`,
  'name.middleName',
  'nickName',
  `${enterprise}:division`,
]
const claims = ['department', 'level', 'teams', 'plan']

const access = fc.constantFrom('none', 'read', 'write')
const declaration = fc.record({
  self: access,
  administrators: fc.constantFrom('none', 'read', 'write', 'write'),
  sensitive: fc.boolean(),
  indexed: fc.boolean(),
  hasClaim: fc.boolean(),
  hasPath: fc.boolean(),
})

const attributesCount = paths.length
const indexes = fc.uniqueArray(fc.nat(attributesCount - 1), { minLength: 1, maxLength: 2 })
const step = fc.record({
  door: fc.constantFrom('patch', 'patch', 'patch', 'profile', 'profile', 'import', 'push', 'push', 'enter'),
  caller: fc.constantFrom('root', 'admin', 'admin', 'clerk', 'stranger'),
  person: fc.constantFrom('member', 'pushed', 'linked'),
  indexes,
  /** Those that a directory or a provider sends. */
  sent: fc.subarray(paths.map((_path, index) => index)),
  isDeletion: fc.integer({ max: 4, min: 0 }).map((number) => number === 0),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The declaration, as the rules of declarations permit it. */
const attributeOf = (wanted: typeof declaration extends fc.Arbitrary<infer T> ? T : never, index: number) => {
  const { hasClaim, hasPath, ...fields } = wanted
  const isFilled = fields.administrators === 'write'
  return {
    ...fields,
    key: unique('k'),
    indexed: fields.indexed && !fields.sensitive,
    claim: hasClaim && !fields.sensitive ? unique('c') : null,
    scim: hasPath && isFilled ? (paths[index] ?? null) : null,
    /** The claim of the connection that fills it. */
    mapped: isFilled ? claims[index] : undefined,
  }
}
type Attribute = ReturnType<typeof attributeOf>

interface Written {
  attribute: Attribute
  userId: number
  value: string
  door: string
}

/** The own user of a person, and their token. */
interface Person {
  id: number
  token: string
}

/** A person of the tenant whom the directory has pushed, and who has a session of their own. */
const pushedMember = async (at: TestDirectory): Promise<Caller & { userName: string; resource: string }> => {
  const member = await at.tenant.member()
  const userName = `${member.username}@${at.domain}`
  await parts.store.scoped({}).run(sql`
    update accounts set email = ${userName}, email_folded = ${userName} where email_folded = ${member.email}`)
  return { ...member, userName, resource: (await at.push({ userName })).id }
}

const openWorld = async (attributes: Attribute[]) => {
  const root = await platformAdmin()
  for (const { key, mapped: _, ...fields } of attributes) {
    ok(await root.put(`/attributes/user/${key}`, { schema: { type: 'string' }, ...fields }))
  }
  const at = await newDirectory()
  const { tenant } = at
  const connection = await newConnection(tenant, {
    attributes: attributes.flatMap(({ key, mapped }) => (mapped === undefined ? [] : { claim: mapped, key })),
  })
  const [member, pushed] = [await tenant.member(), await pushedMember(at)]
  const subject = personAt(connection)
  const { access_token: token } = await signInBySso(connection, subject)
  const { id } = ok(await call('GET', '/profile', { token }))
  return {
    attributes,
    at,
    tenant,
    connection,
    subject,
    callers: {
      root,
      admin: tenant.admin,
      clerk: await tenant.userWith('user:read', 'audit:read'),
      stranger: (await newTenant()).admin,
    },
    persons: {
      member: { id: member.userId, token: member.token },
      pushed: { id: pushed.userId, token: pushed.token },
      linked: { id, token },
    },
    pushed,
    stream: await openStream(tenant.admin),
    /** The model: the present values, and all that were accepted or refused. */
    values: new Map<number, Map<string, string>>(),
    written: [] as Written[],
    refused: [] as string[],
  }
}
type World = Awaited<ReturnType<typeof openWorld>>

const inTenant = ({ tenant }: World) => ({ tenant: tenant.id })

const accessOf = ({ self, administrators }: Attribute, caller: string): string => {
  if (caller === 'root') return 'write'
  return caller === 'self' ? self : administrators
}

const isFilled = ({ persons }: World, { scim, mapped }: Attribute, userId: number): boolean =>
  (userId === persons.pushed.id && scim !== null) || (userId === persons.linked.id && mapped !== undefined)

/** New values of some attributes; null for a deletion. */
const inputOf = (chosen: Attribute[], isDeletion: boolean): Record<string, string | null> =>
  Object.fromEntries(chosen.map(({ key }) => [key, isDeletion ? null : unique('v')]))

/** Keeps a write in the model. */
const keep = (world: World, userId: number, input: Record<string, string | null>, door: string): void => {
  const held = world.values.get(userId) ?? new Map<string, string>()
  world.values.set(userId, held)
  for (const [key, value] of Object.entries(input)) {
    const attribute = world.attributes.find((one) => one.key === key)
    if (value === null || !attribute) held.delete(key)
    else {
      held.set(key, value)
      world.written.push({ attribute, userId, value, door })
    }
  }
}

/** Compares the answer with the model's, and keeps what was written. */
const settle = (
  world: World,
  { status }: Pick<Answer, 'status'>,
  {
    userId,
    input,
    isAllowed,
    door,
  }: { userId: number; input: Record<string, string | null>; isAllowed: boolean; door: string },
): void => {
  const { attributes } = world
  expect({ door, input, attributes, isAllowed: status < 300 }).toEqual({ door, input, attributes, isAllowed })
  if (isAllowed) keep(world, userId, input, door)
  else world.refused.push(...Object.values(input).filter((value) => value !== null))
}

const doors: Record<string, (world: World, step: Step & { chosen: Attribute[] }) => Promise<void>> = {
  patch: async (world, { caller, person, chosen, isDeletion }) => {
    const { id: userId } = world.persons[person]
    const input = inputOf(chosen, isDeletion)
    const isAllowed =
      (caller === 'root' || caller === 'admin') &&
      chosen.every((one) => accessOf(one, caller) === 'write' && !isFilled(world, one, userId))
    const options = caller === 'root' ? inTenant(world) : {}
    const answer = await world.callers[caller].patch(`/users/${userId}/attributes`, input, options)
    settle(world, answer, { userId, input, isAllowed, door: 'patch' })
  },
  profile: async (world, { person, chosen, isDeletion }) => {
    const { id: userId, token } = world.persons[person]
    const input = inputOf(chosen, isDeletion)
    const isAllowed = chosen.every(
      (one) => accessOf(one, 'self') === 'write' && !isFilled(world, one, userId),
    )
    const answer = await call('PATCH', '/profile/attributes', { token, body: input })
    settle(world, answer, { userId, input, isAllowed, door: 'profile' })
  },
  import: async (world, { caller, chosen }) => {
    const input = inputOf(chosen, false)
    const rows = [{ email: `${unique('i')}@example.com`, attributes: input }]
    const answer = await world.callers[caller].post('/users/import', { rows }, inTenant(world))
    const [result] = answer.status < 300 ? ok(answer).results : []
    const isAllowed =
      (caller === 'root' || caller === 'admin') && chosen.every((one) => accessOf(one, caller) === 'write')
    const status = result?.status === 'created' ? 200 : 403
    settle(world, { status }, { userId: result?.user_id, input, isAllowed, door: 'import' })
  },
  push: async (world, { chosen }) => {
    const { pushed, at, attributes } = world
    const filled = attributes.filter(({ scim }) => scim !== null)
    const input = inputOf(filled, true)
    const body: Record<string, unknown> = { userName: pushed.userName }
    for (const { key, scim } of chosen.filter((one) => filled.includes(one))) {
      const [value, [name = '', part]] = [unique('v'), scim?.split(/^urn:.*:|\./).filter(Boolean) ?? []]
      input[key] = value
      if (scim?.startsWith('urn:')) {
        body[enterprise] = { ...(body[enterprise] as object | undefined), [name]: value }
      } else body[name] = part === undefined ? value : { [part]: value }
    }
    const answer = await at.send('PUT', `/Users/${pushed.resource}`, body)
    settle(world, answer, { userId: pushed.userId, input, isAllowed: true, door: 'push' })
  },
  enter: async (world, { chosen }) => {
    const { connection, subject, persons, attributes } = world
    const filled = attributes.filter(({ mapped }) => mapped !== undefined)
    const claimed = chosen.filter((one) => filled.includes(one)).map((one) => [one, unique('v')] as const)
    const given = Object.fromEntries(claimed.map(([{ mapped = '' }, value]) => [mapped, value]))
    const { access_token: token } = await signInBySso(connection, { ...subject, ...given })
    persons.linked.token = token
    // A missing claim leaves its value.
    const input = Object.fromEntries(claimed.map(([{ key }, value]) => [key, value]))
    keep(world, persons.linked.id, input, 'enter')
  },
}

/** The values of a user that fit. */
const heldBy = ({ attributes, values }: World, userId: number, fits: (attribute: Attribute) => boolean) =>
  Object.fromEntries(
    [...(values.get(userId) ?? [])].filter(([key]) => attributes.some((one) => one.key === key && fits(one))),
  )

const readableBy = (caller: string) => (attribute: Attribute) => accessOf(attribute, caller) !== 'none'
const listedFor = (caller: string) => (attribute: Attribute) =>
  !attribute.sensitive && readableBy(caller)(attribute)

/** Reads that show exactly what the model says. */
const expectExact = async (world: World): Promise<void> => {
  const { callers, persons, attributes, values } = world
  const keys = attributes.map(({ key }) => key)
  const keysOf = async (token: string) =>
    ok(await call('GET', '/attributes?subject=user', { token }))
      .map(({ key }: Attribute) => key)
      .filter((key: string) => keys.includes(key))
  const visible = (fits: (attribute: Attribute) => boolean) =>
    attributes
      .filter(fits)
      .map(({ key }) => key)
      .toSorted()
  for (const caller of ['root', 'admin', 'clerk'] as const) {
    const get = async (path: string) => ok(await callers[caller].get(path, inTenant(world)))
    const { items } = await get('/users?include=attributes&page_size=200')
    for (const id of values.keys()) {
      expect(await get(`/users/${id}/attributes`)).toEqual(heldBy(world, id, readableBy(caller)))
      expect(items.find((one: Person) => one.id === id).attributes).toEqual(
        heldBy(world, id, listedFor(caller)),
      )
    }
    const isReadable = (one: Attribute) => readableBy(caller)(one) || readableBy('self')(one)
    expect(await keysOf(callers[caller].token)).toEqual(visible(isReadable))
  }
  for (const { id, token } of Object.values(persons)) {
    const own = ok(await call('GET', '/profile/attributes', { token }))
    expect(own).toEqual(heldBy(world, id, readableBy('self')))
    expect(await keysOf(token)).toEqual(visible(readableBy('self')))
    expect((await call('GET', `/users/${id}/attributes`, { token })).status).toBe(403)
    expect((await callers.stranger.get(`/users/${id}/attributes`)).status).toBe(404)
  }
}

/** A filter finds a value where the caller may read it, and is refused elsewhere. */
const expectFilters = async (world: World): Promise<void> => {
  // The last value of each attribute.
  const last = new Map(world.written.map((one) => [one.attribute.key, one]))
  for (const { attribute, userId, value } of last.values()) {
    const { key, indexed, administrators } = attribute
    const { status, data } = await world.callers.clerk.get(`/users?attribute.${key}=${value}`)
    if (!indexed || administrators === 'none') expect([key, status]).toEqual([key, 400])
    else {
      const isHeld = world.values.get(userId)?.get(key) === value
      expect(data.items.map(({ id }: Person) => id)).toEqual(isHeld ? [userId] : [])
    }
  }
}

/** A text, the values that it may have, and the attributes whose keys it may have. */
type Shown = [
  door: string,
  text: string,
  value: (written: Written) => boolean,
  key: (attribute: Attribute) => boolean,
]

const textOf = async (answer: Promise<Answer>): Promise<string> => {
  const { status, text } = await answer
  expect([200, status]).toEqual([status, 200])
  return text
}

const never = () => false

/** The claims of an ID token, and those at userinfo. */
const claimedAt = async (...[user, application, options]: Parameters<typeof openSession>) => {
  const scopes = ['openid', 'profile']
  const tokens = await openSession(user, application, { scopes, ...options })
  const { body } = await call('GET', '//oauth2/userinfo', { token: tokens.access_token })
  return [claimsOf(tokens.id_token), body]
}

const ofClaims = async ({ persons, tenant, attributes, values }: World): Promise<Shown[]> => {
  const [own, foreign] = [await newApplication(), await newApplication({ is_third_party: true })]
  const shown: Shown[] = []
  for (const { id: userId } of Object.values(persons)) {
    const found = await claimedAt({ userId, tenantId: tenant.id }, own)
    const expected = attributes.flatMap(({ key, claim }) => {
      const value = values.get(userId)?.get(key)
      return claim !== null && value !== undefined ? [[claim, value]] : []
    })
    for (const one of found) expect(one).toMatchObject(Object.fromEntries(expected))
    const isClaim = ({ attribute, ...one }: Written) => attribute.claim !== null && one.userId === userId
    shown.push(['claims', JSON.stringify(found), isClaim, never])
  }
  const user = { userId: persons.linked.id, tenantId: tenant.id }
  const found = await claimedAt(user, foreign, { grantId: await newGrant(user, foreign) })
  return [...shown, ['claims of a third party', JSON.stringify(found), never, never]]
}

/** The texts of doors that show more than attributes. */
const everyText = async (world: World): Promise<Shown[]> => {
  const { callers, tenant, at, connection, persons } = world
  const { clerk, stranger } = callers
  const recorded = ({ attribute }: Written) => listedFor('admin')(attribute)
  const exported = ({ attribute }: Written) => readableBy('self')(attribute)
  await sealRecords(tenant.id)
  await eventually(() => expect(world.stream.text()).toContain('event: change'))
  const shown: Shown[] = [
    ['stream', world.stream.text(), recorded, readableBy('admin')],
    ['attempts', JSON.stringify(await attemptsOf(tenant, connection)), never, never],
    [
      'connection',
      await textOf(tenant.admin.get(`/connections/${connection.id}`)),
      never,
      readableBy('admin'),
    ],
    ['directory', (await at.send('GET', '/Users')).text, ({ door }) => door === 'push', never],
    ['stranger’s list', await textOf(stranger.get('/users?include=attributes')), never, never],
    ['stranger’s records', await textOf(stranger.get('/audit/logs')), never, never],
  ]
  for (const path of ['/audit/logs?page_size=200', '/audit/export', '/audit/export?format=csv']) {
    shown.push([path, await textOf(clerk.get(path)), recorded, readableBy('admin')])
  }
  for (const { id } of Object.values(persons)) {
    const file = await textOf(clerk.get(`/users/${id}/export`))
    const isShown = (one: Attribute) => readableBy('self')(one) && readableBy('admin')(one)
    shown.push(['export by an administrator', file, ({ attribute }) => isShown(attribute), isShown])
  }
  for (const token of [persons.member.token, persons.pushed.token]) {
    const file = textOf(call('POST', '/auth/account/export', { token, body: { password } }))
    shown.push(['own export', await file, exported, readableBy('self')])
  }
  return [...shown, ...(await ofClaims(world))]
}

const leaksOf = ({ written, refused, attributes }: World, shown: Shown[]): unknown[] =>
  shown.flatMap(([door, text, mayValue, mayKey]) => [
    ...written
      .filter((one) => text.includes(one.value) && !mayValue(one))
      .map((one) => ({ by: door, ...one })),
    ...attributes
      .filter((one) => text.includes(one.key) && !mayKey(one))
      .map((one) => ({ by: door, ...one })),
    ...refused.filter((value) => text.includes(value)).map((value) => ({ by: door, refused: value })),
  ])

test('nobody reads or writes an attribute beyond self and administrators, by any door', async () => {
  const root = await platformAdmin()
  await fc.assert(
    fc.asyncProperty(
      fc.array(declaration, { minLength: attributesCount, maxLength: attributesCount }),
      fc.array(step, { minLength: 20, maxLength: 30 }),
      async (declarations, steps) => {
        const attributes = declarations.map(attributeOf)
        try {
          const world = await openWorld(attributes)
          for (const one of steps) {
            const isSent = one.door === 'push' || one.door === 'enter'
            const chosen = (isSent ? one.sent : one.indexes).flatMap((index) => attributes[index] ?? [])
            await doors[one.door]?.(world, { ...one, chosen })
          }
          await expectExact(world)
          await expectFilters(world)
          expect(leaksOf(world, await everyText(world))).toEqual([])
          world.stream.close()
        } finally {
          for (const { key } of attributes) await root.delete(`/attributes/user/${key}`)
        }
      },
    ),
    { numRuns: 3, endOnFailure: true },
  )
}, 60_000)
