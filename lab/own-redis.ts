import { once } from 'node:events'
import { connect } from 'node:net'
import { makeFolder, OwnServer } from './own-server.ts'
import { findProgram, freePort } from './processes.ts'

const ping = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (!answer.toString().startsWith('+PONG')) throw new Error(answer.toString())
  } finally {
    socket.destroy()
  }
}

/** Makes a Redis without persistence. */
export const ownRedis = async (): Promise<OwnServer & { url: string }> => {
  const path = findProgram('redis-server', 'redis-server')
  const port = await freePort()
  const folder = makeFolder('redis')
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ]
  const server = new OwnServer({ path, args, folder, port, ask: () => ping(port) })
  return Object.assign(server, { url: `redis://127.0.0.1:${port}` })
}
