/** Sign-in by a connection of OpenID Connect, with `oidc-provider` on loopback. */
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../../../test/browser.ts'
import { newTenant, ok, unique } from '../../../test/factories.ts'
import { call } from '../../../test/harness.ts'
import { attemptsOf, goThrough, newConnection, personAt, signInBySso } from '../../../test/sso.ts'

describe('a person whom nobody knows', () => {
  test('becomes a user of the tenant, and signs in to the console', async () => {
    const tenant = await newTenant()
    const connection = await newConnection(tenant)
    const person = personAt(connection)
    const { access_token: token } = await signInBySso(connection, person)
    expect(decodeJwt(token)).toMatchObject({ con: connection.id, amr: ['sso'], tid: tenant.id })
    expect(ok(await call('GET', '/profile', { token }))).toMatchObject({
      email: person['email'],
      nickname: 'Ada Lovelace',
    })
    expect(await attemptsOf(tenant, connection)).toMatchObject([
      { outcome: 'signed_in', reason: 'created', number: 0, subject: person['sub'], email: person['email'] },
    ])
  })

  test('is refused with an address of another domain', async () => {
    const tenant = await newTenant()
    const connection = await newConnection(tenant)
    const landed = await goThrough(openBrowser(), connection, personAt({ domain: `${unique()}.example` }))
    expect([landed.status, landed.text]).toEqual([403, expect.stringContaining('Reason 202')])
    expect(await attemptsOf(tenant, connection)).toMatchObject([
      { outcome: 'refused', reason: 'address_outside', number: 202 },
    ])
  })
})
