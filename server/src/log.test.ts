import type { Logger } from 'pino'
import { expect, test } from 'vitest'
import { createLogger } from './log.ts'

const lineOf = (write: (log: Logger) => void, level = 'info'): Record<string, unknown> => {
  const lines: string[] = []
  write(createLogger(level, { write: (line: string) => void lines.push(line) }))
  expect(lines).toHaveLength(1)
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>
}

test('a line is JSON with the name of its level, an ISO time and a message', () => {
  const line = lineOf((log) => log.warn({ trace_id: 'abc' }, 'hello'))
  expect(line).toMatchObject({ level: 'warn', msg: 'hello', trace_id: 'abc' })
  expect(new Date(String(line['time'])).toISOString()).toBe(line['time'])
})

test('lines below the level are not written', () => {
  expect(lineOf((log) => (log.info('no'), log.error('yes')), 'error')['msg']).toBe('yes')
})

test.each([
  'password',
  'old_password',
  'passwordHash',
  'access_token',
  'refresh_token',
  'metricsToken',
  'Authorization',
  'cookie',
  'set-cookie',
  'email',
  'adminEmail',
  'client_secret',
  'pwd',
  'passphrase',
  'credentials',
  'dsn',
  'api_key',
])('the value of a field named %s is withheld at every depth', (name) => {
  const line = lineOf((log) =>
    log.info({
      [name]: 'hunter2',
      at: { [name]: 'hunter2', list: [{ deep: { [name]: { in: 'hunter2' } } }] },
    }),
  )
  expect(JSON.stringify(line)).not.toContain('hunter2')
  expect(line).toMatchObject({ [name]: '[withheld]', at: { [name]: '[withheld]' } })
})

test('an object that holds itself is cut off', () => {
  const loop: Record<string, unknown> = { name: 'loop' }
  loop['self'] = loop
  expect(JSON.stringify(lineOf((log) => log.info({ loop })))).toContain('[too deep]')
})

test('other fields are left as they are', () => {
  const fields = { n: 1, text: 'x', none: null, list: [1, { a: true }], when: new Date(0) }
  expect(lineOf((log) => log.info(fields))).toMatchObject({ ...fields, when: '1970-01-01T00:00:00.000Z' })
})

test('an error shows its kind, message, stack, code and causes', () => {
  const cause = new AggregateError([
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED', port: 5432 }),
  ])
  const line = lineOf((log) => log.error(new TypeError('no database', { cause })))
  expect(line['msg']).toBe('no database')
  expect(line['err']).toMatchObject({
    type: 'TypeError',
    message: 'no database',
    stack: expect.stringContaining('log.test.ts') as string,
    cause: { type: 'AggregateError', errors: [{ message: 'refused', code: 'ECONNREFUSED', port: 5432 }] },
  })
})

test('an error shows neither the request nor the row that it carries', () => {
  const err = Object.assign(new Error('duplicate key'), {
    code: '23505',
    constraint: 'accounts_email_key',
    detail: 'Key (email)=(ann@example.com) already exists.',
    where: 'ann@example.com',
    parameters: ['ann@example.com'],
    body: { nickname: 'ann@example.com' },
    request: { body: 'ann@example.com' },
  })
  const line = lineOf((log) => log.error({ err }, 'failed'))
  expect(line['err']).toMatchObject({ code: '23505', constraint: 'accounts_email_key' })
  expect(JSON.stringify(line)).not.toContain('ann@example.com')
})

test('something thrown that is no error is logged as it is, without secrets', () => {
  const line = lineOf((log) => log.error({ err: { reason: 'odd', password: 'hunter2' } }, 'failed'))
  expect(line['err']).toEqual({ reason: 'odd', password: '[withheld]' })
})
