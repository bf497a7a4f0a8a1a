/** A guard that hears the live stream of the real service. Its memory never ends by time here: its clock stands still. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../server/src/app.ts'
import { AppError } from '../../server/src/errors/app-error.ts'
import { createMetrics } from '../../server/src/metrics.ts'
import { keyWith, newTenant, ok, platformAdmin, type Tenant } from '../../server/test/factories.ts'
import { parts, startApp, type Running } from '../../server/test/harness.ts'
import { eventually } from '../../server/test/waits.ts'
import { guardWith, outdated, visit } from './guarded.ts'

const needed = 'user:read'
const allowed = { status: 200 }
const refused = { status: 403, error: 'permissionMissing' }

const stopClock = (): void => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** A user of the tenant with a role that gives the permission. */
const newUser = async (tenant: Tenant) => {
  const [user, role] = [await tenant.member(), await tenant.role(needed)]
  ok(await tenant.admin.post(`/rbac/users/${user.userId}/roles`, { role_id: role.id }))
  const takeRole = () => tenant.admin.delete(`/rbac/users/${user.userId}/roles/${role.id}`)
  const emptyRole = () => tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [] })
  return { ...user, roleId: role.id, takeRole, emptyRole }
}

interface Replica extends Running {
  /** Waits until so many streams are open. */
  streams: (count: number) => Promise<void>
  asked: string[]
}

const startReplica = async (extend?: Parameters<typeof startApp>[1]): Promise<Replica> => {
  const metrics = createMetrics()
  const asked: string[] = []
  const hook: Parameters<typeof startApp>[1] = (app) => {
    app.addHook('onRequest', async ({ url }) => void asked.push(url))
    extend?.(app)
  }
  const running = await startApp({}, hook, { metrics })
  onTestFinished(() => running.app.close())
  const streams = (count: number) =>
    eventually(async () => expect((await metrics.streams.get()).values[0]?.value ?? 0).toBe(count))
  return { ...running, streams, asked }
}

const listening = (baseUrl: string, key: string) => {
  const made = guardWith({ baseUrl, key, listens: true })
  onTestFinished(() => made.guard.close())
  return { ...made, into: visit(made.guard, needed) }
}

describe('a guard that listens', () => {
  test('refuses the next request after it heard that the permission was taken', async () => {
    const tenant = await newTenant()
    const [user, other] = [await newUser(tenant), await newUser(tenant)]
    const key = (await keyWith(tenant.id, ['authz:check'])).token
    const { url, streams } = await startReplica()
    const { into } = listening(url, key)
    const deaf = visit(guardWith({ baseUrl: url, key }).guard, needed)
    await streams(1)
    stopClock()
    for (const one of [into, deaf]) expect(await one(user.token)).toMatchObject(allowed)
    expect(await into(other.token)).toMatchObject(allowed)
    ok(await user.takeRole())
    await eventually(async () => expect(await into(user.token)).toEqual(refused))
    // Only the stream can have told: a guard without it still remembers.
    expect(await deaf(user.token)).toMatchObject(allowed)
    ok(await other.emptyRole())
    await eventually(async () => expect(await into(other.token)).toEqual(refused))
  })

  test('refuses the next request after it heard that the session is over', async () => {
    const tenant = await newTenant()
    const user = await newUser(tenant)
    const { url, streams } = await startReplica()
    const { into } = listening(url, (await keyWith(tenant.id, ['authz:check'])).token)
    await streams(1)
    stopClock()
    expect(await into(user.token)).toMatchObject(allowed)
    ok(await user.post('/auth/logout'))
    await eventually(async () =>
      expect(await into(user.token)).toEqual({ status: 401, error: 'sessionOver' }),
    )
  })

  test('hears every tenant if its key holds tenant:enter, else its own', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const user = await newUser(tenant)
    const { url, streams, asked } = await startReplica()
    const ofAll = await keyWith(root.tenantId, ['authz:check', 'tenant:enter'])
    const { into } = listening(url, ofAll.token)
    await streams(1)
    listening(url, (await keyWith(tenant.id, ['authz:check'])).token)
    await streams(2)
    const requests = asked.filter((one) => one.includes('/events/stream')).map((one) => one.split('?')[1])
    expect(requests).toEqual(['all_tenants=true', 'all_tenants=true', 'all_tenants=false'])
    stopClock()
    expect(await into(user.token)).toMatchObject(allowed)
    ok(await user.takeRole())
    await eventually(async () => expect(await into(user.token)).toEqual(refused))
  })

  test('does not remember an answer that it asked for before a change, and got after it', async () => {
    const tenant = await newTenant()
    const [late, other] = [await newUser(tenant), await newUser(tenant)]
    const [gate, isAnswered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    let isFirst = true
    const { url, streams } = await startReplica((app) => {
      app.addHook('onSend', async ({ url: path }) => {
        if (!isFirst || !path.includes(`user_id=${late.userId}&`)) return
        isFirst = false
        isAnswered.resolve(undefined)
        await gate.promise
      })
    })
    const { into } = listening(url, (await keyWith(tenant.id, ['authz:check'])).token)
    await streams(1)
    stopClock()
    const slow = into(late.token)
    await isAnswered.promise
    expect(await into(other.token)).toMatchObject(allowed)
    ok(await late.takeRole())
    // Events come in order: the guard has heard of both when it refuses the other user.
    ok(await other.takeRole())
    await eventually(async () => expect(await into(other.token)).toEqual(refused))
    gate.resolve(undefined)
    expect(await slow).toMatchObject(allowed)
    expect(await into(late.token)).toEqual(refused)
  })

  test('forgets everything when it connects again', async () => {
    const tenant = await newTenant()
    const user = await newUser(tenant)
    const { url, streams, app } = await startReplica()
    const { into } = listening(url, (await keyWith(tenant.id, ['authz:check'])).token)
    await streams(1)
    stopClock()
    expect(await into(user.token)).toMatchObject(allowed)
    app.server.closeAllConnections()
    await app.close()
    ok(await user.takeRole())
    expect(await into(user.token)).toMatchObject(allowed)
    const again = await buildApp(parts)
    onTestFinished(() => again.close())
    await again.listen({ host: '127.0.0.1', port: Number(new URL(url).port) })
    await eventually(async () => expect(await into(user.token)).toEqual(refused))
  })

  test('works as one that does not where Tenantry gives it no stream, and says so once', async () => {
    const tenant = await newTenant()
    const user = await newUser(tenant)
    const { url } = await startReplica((app) => {
      app.addHook('onRequest', async ({ url: path }) => {
        if (path.includes('/events/stream')) throw new AppError('routeUnknown', 'There is no such path')
      })
    })
    const { into, lines } = listening(url, (await keyWith(tenant.id, ['authz:check'])).token)
    expect(await into(user.token)).toMatchObject(allowed)
    ok(await user.takeRole())
    await outdated()
    expect(await into(user.token)).toEqual(refused)
    expect(lines).toEqual([
      'Tenantry gives the guard no live stream (refused): changes count within 2 seconds',
    ])
  })

  test('has no stream after close, and continues', async () => {
    const tenant = await newTenant()
    const user = await newUser(tenant)
    const { url, streams } = await startReplica()
    const { into, guard } = listening(url, (await keyWith(tenant.id, ['authz:check'])).token)
    await streams(1)
    guard.close()
    await streams(0)
    expect(await into(user.token)).toMatchObject(allowed)
  })
})
