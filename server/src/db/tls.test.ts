/**
 * Each `sslmode` has the meaning of psql. The test's server refuses every login, and its refusal reports the TLS of the
 * connection.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccess } from './open.ts'

/**
 * An authority, and a certificate for `localhost` that it signed, with the certificate's key. Only these tests use
 * them.
 */
const authority = `-----BEGIN CERTIFICATE-----
MIIBkTCCATegAwIBAgIUQsthFcIkfYBmT4RdOFX4onMdYOIwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSQXV0aG9yaXR5IG9mIHRlc3RzMCAXDTI2MTEyMjIxNTg0OFoY
DzIxMjYxMDI5MjE1ODQ4WjAdMRswGQYDVQQDDBJBdXRob3JpdHkgb2YgdGVzdHMw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT1dqkSu7P0hQbcQSrco5gSFBtIKrA/
WYfwf+fnq0HyP3iEWq3gaEpqmfip04K9FxgDkh3Jhq/Oe5OFLcEheIiAo1MwUTAd
BgNVHQ4EFgQU/fCGJecgF8FSdFFFEQZU0gm4YC0wHwYDVR0jBBgwFoAU/fCGJecg
F8FSdFFFEQZU0gm4YC0wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBF
AiEAqDYaCN7AXtQJbqZECOUET1Adn7ee+kbh+mtmXPtNom8CIHn5UpnGaZmslj6F
Fx4DSytvarLmkpU7H3XMAOnH2/DZ
-----END CERTIFICATE-----
`
const cert = `-----BEGIN CERTIFICATE-----
MIIBlzCCAT6gAwIBAgIUC3aDqNx02CXyWQHIdwKo0WQbgpMwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSQXV0aG9yaXR5IG9mIHRlc3RzMCAXDTI2MTEyMjIxNTg0OVoY
DzIxMjYxMDI5MjE1ODQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAAT9NZXKKOetnAr2ou0dqDWrcA7FyrVtHKomMIoumCVe
EyeAP9aclWAYefcQUiTXPLrVQ/KqT0zL6baHpo+XUDlbo2MwYTAUBgNVHREEDTAL
gglsb2NhbGhvc3QwCQYDVR0TBAIwADAdBgNVHQ4EFgQUlPYWTaIjWYUyGvmzY/Tg
0PUHnDgwHwYDVR0jBBgwFoAU/fCGJecgF8FSdFFFEQZU0gm4YC0wCgYIKoZIzj0E
AwIDRwAwRAIgFqg+eJLspFLyNH43ygBHv+N13t1FxRwP2Vwu49VY/FwCIDRIyoBT
QdlHs6Kdz7NHpxMq1EMRkto1NpxwQXaWnIxL
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGnC1ws84qTpOz09I
Y9rn+jLaJZqdJe4eQ1Wpzx6g1dGhRANCAAT9NZXKKOetnAr2ou0dqDWrcA7FyrVt
HKomMIoumCVeEyeAP9aclWAYefcQUiTXPLrVQ/KqT0zL6baHpo+XUDlb
-----END PRIVATE KEY-----
`

const folder = mkdtempSync(join(tmpdir(), 'tenantry-tls-'))
const ownRoot = join(folder, 'own.pem')
const otherRoot = join(folder, 'other.pem')

/** PostgreSQL's refusal of a login, which the driver shows. */
const refusal = (message: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0C28000\0M${message}\0\0`)
  const head = Buffer.from('E....')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const secureContext = createSecureContext({ cert, key })
/** The code of the first message of a client that asks for TLS. */
const tlsRequest = 80_877_103

const answerFirst = (socket: Socket, offersTls: boolean) => {
  socket.on('error', () => {})
  socket.once('data', (first: Buffer) => {
    if (first.readUInt32BE(4) !== tlsRequest) socket.end(refusal('reached in the clear'))
    else if (!offersTls) socket.write('N')
    else {
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, secureContext })
      secure.on('error', () => {})
      secure.once('data', () => secure.end(refusal('reached over TLS')))
    }
  })
}

describe('a connection to PostgreSQL', () => {
  const servers: Server[] = []
  const listen = async (offersTls: boolean) => {
    const server = createServer((socket) => answerFirst(socket, offersTls)).listen(0)
    servers.push(server)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  let port: number
  let plainPort: number
  beforeAll(async () => {
    writeFileSync(ownRoot, authority)
    writeFileSync(otherRoot, cert)
    port = await listen(true)
    plainPort = await listen(false)
  })
  afterAll(() => {
    for (const server of servers) server.close()
    rmSync(folder, { recursive: true })
  })

  /** The reason why the connection failed. */
  const outcome = async (host: string, parameters: string, at = port) => {
    const databaseUrl = `postgres://ada:secret@${host}:${at}/x${parameters}`
    const { connect, close } = await openAccess({ databaseUrl, dataDir: folder })
    const failure = await connect().then(() => 'connected', String)
    await close()
    return failure
  }

  test.each([
    ['without sslmode', '127.0.0.1', '', 'reached in the clear'],
    ['sslmode=disable', '127.0.0.1', '?sslmode=disable', 'reached in the clear'],
    ['sslmode=require takes any certificate', '127.0.0.1', '?sslmode=require', 'reached over TLS'],
    [
      'sslmode=verify-ca takes any name of its authority',
      '127.0.0.1',
      `?sslmode=verify-ca&sslrootcert=${ownRoot}`,
      'reached over TLS',
    ],
    [
      'sslmode=verify-ca refuses another authority',
      'localhost',
      `?sslmode=verify-ca&sslrootcert=${otherRoot}`,
      'unable to verify the first certificate',
    ],
    [
      'sslmode=verify-full takes the name of the certificate',
      'localhost',
      `?sslmode=verify-full&sslrootcert=${ownRoot}`,
      'reached over TLS',
    ],
    [
      'sslmode=verify-full refuses another name',
      '127.0.0.1',
      `?sslmode=verify-full&sslrootcert=${ownRoot}`,
      "does not match certificate's altnames",
    ],
    [
      'sslmode=verify-full without sslrootcert refuses an authority of your own',
      'localhost',
      '?sslmode=verify-full',
      'unable to verify the first certificate: name its authority in sslrootcert of DATABASE_URL',
    ],
  ])('sslmode of DATABASE_URL decides the connection: %s', async (_name, host, parameters, reason) => {
    expect(await outcome(host, parameters)).toContain(reason)
  })

  test.each(['require', 'verify-full'])('sslmode=%s never falls back to the clear', async (mode) => {
    const reason = await outcome('localhost', `?sslmode=${mode}`, plainPort)
    expect(reason).toContain('does not support SSL')
  })
})
