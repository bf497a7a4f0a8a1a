/** Passkeys in tests: a service at a name, and a device in the browser. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Config } from '../../server/src/config/config.ts'
import { startApp } from '../../server/test/harness.ts'

/** The console on a service with a public address of its own, because a passkey works only at its origin. */
export const startAtLocalhost = async (changes: Partial<Config> = {}): Promise<string> => {
  let port = 0
  const sockets = new Set<Socket>()
  const front = createServer((socket) => {
    sockets.add(socket)
    const behind = connect(port, '127.0.0.1')
    socket.on('error', () => behind.destroy()).pipe(behind)
    behind.on('error', () => socket.destroy()).pipe(socket)
  })
  await new Promise<void>((resolve) => {
    front.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://localhost:${(front.address() as AddressInfo).port}`
  const running = await startApp({ publicUrl: url, issuer: url, ...changes })
  port = Number(new URL(running.url).port)
  onTestFinished(async () => {
    front.close()
    // The browser opens connections ahead, and the service would wait for their requests.
    for (const socket of sockets) socket.destroy()
    await running.app.close()
  })
  return url
}

/** A device that holds passkeys, and proves its person without a question. */
export const addDevice = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
}
