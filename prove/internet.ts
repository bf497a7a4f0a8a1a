/** A server of the Internet, for a service that connects only to public addresses. It runs on this machine. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { RequestListener } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { makeFolder } from '../lab/own-server.ts'
import { installed, run } from '../lab/processes.ts'
import { moduleOf } from './clock.ts'
import { NotArranged } from './report.ts'

/** A public address, which nothing is ever sent to. */
const address = '11.0.0.1'

export interface Internet {
  /** The server by its public address. */
  origin: string
  /** The same server by addresses that are not public. */
  privateOrigins: string[]
  /** Settings of a service that takes the server for one of the Internet. */
  env: Record<string, string>
  /** Sets the answer at a path. */
  serve: (path: string, listener: RequestListener) => void
  /** The paths that were asked for, in order. */
  asked: string[]
  close: () => void
}

/** A module that the service loads first: connections to the public address end at a port of this machine. */
const leadingTo = (port: number): string =>
  moduleOf(`import net from 'node:net'
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (options, ...rest) {
  const isThere = options?.host === '${address}'
  return connect.call(this, isThere ? { ...options, host: '127.0.0.1', port: ${port} } : options, ...rest)
}`)

const newCertificate = async (folder: string) => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = `subjectAltName=IP:${address},IP:127.0.0.1,DNS:localhost`
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
  const args = ['req', ...made, '-keyout', key, '-out', cert, '-subj', '/CN=proof', '-addext', names]
  await run({ program: 'openssl', args })
  return { file: cert, key: await readFile(key), cert: await readFile(cert) }
}

/** Starts the server. Throws NotArranged without OpenSSL, which makes its certificate. */
export const openInternet = async (): Promise<Internet> => {
  if (installed('openssl') === undefined) throw new NotArranged('needs openssl')
  const { file, ...certificate } = await newCertificate(makeFolder('internet'))
  const served = new Map<string, RequestListener>()
  const asked: string[] = []
  const server = createServer(certificate, (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const listener = served.get(path)
    if (listener) listener(request, response)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://${address}`,
    privateOrigins: [`https://127.0.0.1:${port}`, `https://localhost:${port}`],
    env: { NODE_EXTRA_CA_CERTS: file, NODE_OPTIONS: leadingTo(port) },
    serve: (path, listener) => void served.set(path, listener),
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
