/** A mail server never finishes. Each attempt still ends, and the service sends other e-mails meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newTenant, platformAdmin, unique } from '../../../../test/factories.ts'
import { call, clock, parts } from '../../../../test/harness.ts'
import { clearQueue, mailerAt, sendDueMails, waitingFor } from '../../../../test/mail-queue.ts'
import { startSlowMailServer, steps, type SlowMailServer } from '../../../../test/slow-mail-server.ts'
import { endsWithin, eventually } from '../../../../test/waits.ts'
import { startSendingMails } from '../../../start/maintenance.ts'
import { createMailSender } from './sender.service.ts'

let server: SlowMailServer
const ended: (() => unknown)[] = []
beforeEach(async () => {
  await platformAdmin()
  await clearQueue()
})
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

const open = async (...options: Parameters<typeof startSlowMailServer>) => {
  server = await startSlowMailServer(...options)
  ended.push(server.stop)
}

/** Users of one tenant without waiting e-mails. */
const people = async (count: number): Promise<string[]> => {
  const tenant = await newTenant()
  const users = await Promise.all(Array.from({ length: count }, () => tenant.member()))
  await clearQueue()
  return users.map(({ email }) => email)
}

const forget = async (...emails: string[]): Promise<void> => {
  for (const email of emails) await call('POST', '/auth/password/forgot', { body: { email } })
}

describe('an attempt that comes to no end', () => {
  test.each(steps)('is ended with its connection when the server drips at %s', async (step) => {
    await open(step)
    const [email = ''] = await people(1)
    await forget(email)
    const sender = createMailSender(
      { ...parts, mailer: mailerAt(server.url) },
      { slotMs: 100, attemptMs: 200 },
    )
    expect(await sender.round()).toBe(1)
    await sender.settle()
    const waiting = await waitingFor(email)
    await eventually(() => expect(server.open()).toBe(0))
    expect(server.taken).toEqual(step === 'close' ? [email] : [])
    expect(waiting.map(({ attempts }) => attempts)).toEqual(step === 'close' ? [] : [1])
  })

  test('is one of 50 at most: the oldest ends for another e-mail', async () => {
    await open('RCPT')
    const emails = await people(11)
    const slow = { ...parts, mailer: mailerAt(server.url) }
    const sender = createMailSender(slow, { slotMs: 1, attemptMs: 3_600_000 })
    ended.push(sender.stop)
    for (let n = 0; n < 5; n += 1) await forget(...emails)
    while ((await sender.round()) > 0);
    await eventually(() => expect(server.slow()).toBe(55))
    await eventually(() => expect(server.open()).toBe(50))
    const waiting = await Promise.all(emails.map(waitingFor))
    // A running attempt has a lease of three minutes; a failed one waits ten seconds.
    expect(waiting.flat().filter(({ pauseMs }) => pauseMs < 60_000)).toHaveLength(5)
  })

  test('ends when the service stops, and another replica sends its e-mail at once', async () => {
    await open('DATA')
    const [email = ''] = await people(1)
    await forget(email)
    const stopping = new AbortController()
    const stop = startSendingMails({ ...parts, mailer: mailerAt(server.url) })
    await eventually(() => expect(server.slow()).toBe(1))
    const stopped = stop(stopping.signal)
    stopping.abort()
    await stopped
    await eventually(() => expect(server.open()).toBe(0))
    const [waiting] = await waitingFor(email)
    expect(waiting?.pauseMs).toBeLessThanOrEqual(0)
  })
})

describe('a queue with ten hanging e-mails', () => {
  const hang = async (): Promise<{ others: string[] }> => {
    const emails = await people(12)
    const slow = emails.slice(2)
    await open('RCPT', (recipient) => slow.includes(recipient))
    await forget(...slow)
    const stopping = new AbortController()
    const stopSending = startSendingMails({ ...parts, mailer: mailerAt(server.url) })
    ended.push(() => {
      stopping.abort()
      return stopSending(stopping.signal)
    })
    await eventually(() => expect(server.slow()).toBe(10))
    return { others: emails.slice(0, 2) }
  }

  test('the reset link of another person leaves within seconds', async () => {
    const { others } = await hang()
    await forget(...others)
    const leave = () => eventually(() => expect(server.taken.toSorted()).toEqual(others.toSorted()))
    // The limit is ten times the time of a slot.
    expect(await endsWithin(30_000, leave)).toBe(true)
    await eventually(() => expect(server.open()).toBe(10))
  })
})

test('links that people wait for leave first, new ones before repeated ones, and invitations last', async () => {
  await open('RCPT')
  const tenant = await newTenant()
  const [fresh, repeated] = [await people(3), await people(2)]
  for (let n = 0; n < 5; n += 1) await forget(...repeated)
  await sendDueMails({ ...parts, mailer: mailerAt('smtp://127.0.0.1:1') })
  for (let n = 0; n < 10; n += 1) {
    await tenant.admin.post('/invitations', { email: `${unique('i')}@example.com` })
  }
  clock.advance(60_000)
  await forget(...fresh)
  const sender = createMailSender({ ...parts, mailer: mailerAt(server.url) })
  ended.push(sender.stop)
  await sender.round()
  const attempts = async (emails: string[]) => {
    const waiting = await Promise.all(emails.map(waitingFor))
    return waiting
      .flat()
      .filter(({ pauseMs }) => pauseMs > 0)
      .map(({ attempts: count }) => count)
  }
  expect(await attempts(fresh)).toEqual([1, 1, 1])
  expect(await attempts(repeated)).toEqual([2, 2, 2, 2, 2, 2, 2])
})
