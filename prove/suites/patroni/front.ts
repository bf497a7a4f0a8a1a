import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Network } from '../../own-machines.ts'
import { makeFolder, OwnServer } from '../../../lab/own-server.ts'
import { findProgram, freePort } from '../../../lab/processes.ts'
import { fill, shipped } from './files.ts'

const answers = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

const write = (folder: string, name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, 0o644)
  return path
}

/** Starts HAProxy. Its port forwards to the primary. */
export const startHaproxy = async ({ prefix }: Network): Promise<OwnServer> => {
  const port = await freePort()
  const folder = makeFolder('haproxy')
  const text = fill(shipped('patroni/haproxy.cfg'), {
    '127.0.0.1:5000': `127.0.0.1:${port}`,
    '10.0.0.': prefix,
  })
  const args = ['-db', '-f', write(folder, 'haproxy.cfg', text)]
  const path = findProgram('haproxy', 'haproxy')
  const server = new OwnServer({ path, args, folder, port, ask: () => answers(port) })
  await server.start()
  return server
}

/** Starts Caddy in front of the replicas. */
export const startCaddy = async (urls: string[]): Promise<OwnServer & { url: string }> => {
  const port = await freePort()
  const folder = makeFolder('caddy')
  const text = fill(shipped('Caddyfile'), { skip_install_trust: 'skip_install_trust\n\tadmin off' })
  const url = `http://127.0.0.1:${port}`
  const args = [
    `HOME=${folder}`,
    `SITE=${url}`,
    `REPLICAS=${urls.map((one) => new URL(one).host).join(' ')}`,
    findProgram('caddy', 'caddy'),
    'run',
    '--adapter',
    'caddyfile',
    '--config',
    write(folder, 'Caddyfile', text),
  ]
  const path = findProgram('env', 'coreutils')
  const server = new OwnServer({ path, args, folder, port, ask: () => answers(port) })
  await server.start()
  return Object.assign(server, { url })
}
