import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import type { Parts } from '../context.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { Snapshot } from '../db/client.ts'
import { copyFolder, databaseFolder } from '../db/embedded.ts'
import { requireRoom, sizeOf } from './room.ts'

type TakeSnapshot = (folder: string) => Promise<Snapshot>

type Answer = Snapshot | { failure: string }

/** The longest path of a socket: 108 bytes on Linux and 104 elsewhere, including the final zero. */
const pathBytesMax = process.platform === 'linux' ? 107 : 103
/** A client must send its question within this time. */
const questionMs = 5_000
const question = 'backup'

/** The socket on which the service of a data folder listens. The folder belongs only to the service's user. */
const controlPath = (dataDir: string): string => {
  const folder = resolve(dataDir)
  if (process.platform !== 'win32') return join(folder, 'control.sock')
  return String.raw`\\.\pipe\tenantry-${sha256(folder).toString('hex').slice(0, 32)}`
}

export const isControlPathTooLong = (dataDir: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(controlPath(dataDir)) > pathBytesMax

/** Copies the database into `postgres` in a new folder, which `copyFolder` names. */
export const copyDatabase = async (dataDir: string, snapshot: TakeSnapshot): Promise<Snapshot> => {
  const folder = copyFolder(dataDir)
  requireRoom(dataDir, sizeOf(databaseFolder(dataDir)))
  mkdirSync(folder, { mode: 0o700 })
  try {
    return await snapshot(join(folder, 'postgres'))
  } catch (err) {
    rmSync(folder, { recursive: true, force: true })
    throw err
  }
}

/**
 * Serves copies of the embedded database to `tenantry backup`, because this process holds the folder's lock. A failure
 * to listen is a warning; the service starts anyway. Returns a function that stops listening.
 */
export const listenForCommands = async (parts: Parts): Promise<() => void> => {
  const { config, log, store } = parts
  if (!store.snapshot) return () => {}
  if (isControlPathTooLong(config.dataDir)) {
    log.warn(
      'the path of the data folder is too long for a socket: `tenantry backup` needs the service stopped',
    )
    return () => {}
  }
  const copies = createCopies(parts, store.snapshot)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {}) // the client hung up: nobody is left to answer
    copies.serve(socket).catch((err: unknown) => log.error({ err }, 'a backup failed'))
  })
  await listenAt(server, controlPath(config.dataDir)).catch((err: unknown) =>
    log.warn({ err }, 'no socket in the data folder: `tenantry backup` needs the service stopped'),
  )
  return () => {
    copies.stop()
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

const listenAt = async (server: Server, path: string): Promise<void> => {
  const isFile = process.platform !== 'win32'
  // A killed process left the socket file. Only the process with the folder's lock listens here.
  if (isFile) rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
  if (isFile) chmodSync(path, 0o600)
  server.unref()
}

/** Makes one copy at a time, on request. */
const createCopies = (
  { config: { dataDir }, log }: Pick<Parts, 'config' | 'log'>,
  snapshot: TakeSnapshot,
) => {
  let isTaken = false
  let isStopping = false
  return {
    /** Removes the copy when the command hangs up. If the service ends first, the command removes it. */
    async serve(socket: Socket): Promise<void> {
      if ((await readLine(socket, questionMs)) !== question) return void socket.destroy()
      if (isTaken) return answer(socket, { failure: 'another backup is being made' })
      isTaken = true
      try {
        const closed = once(socket, 'close')
        const startedAt = performance.now()
        answer(socket, await copyDatabase(dataDir, snapshot).catch(failureOf))
        const duration = Math.round(performance.now() - startedAt)
        log.info({ duration_ms: duration }, 'the database was copied for a backup; requests waited meanwhile')
        await closed
        if (!isStopping) rmSync(copyFolder(dataDir), { recursive: true, force: true })
      } finally {
        isTaken = false
      }
    },
    stop() {
      isStopping = true
    },
  }
}

const failureOf = (err: unknown): Answer => ({ failure: err instanceof Error ? err.message : String(err) })

const answer = (socket: Socket, message: Answer): void => {
  socket.write(`${JSON.stringify(message)}\n`)
}

/** The first line that arrives; undefined after a timeout or when the other side hangs up. */
const readLine = (socket: Socket, waitMs: number): Promise<string | undefined> =>
  new Promise((done) => {
    let text = ''
    socket.setTimeout(waitMs, () => socket.destroy())
    socket.on('close', () => done(undefined))
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (!text.includes('\n')) return
      socket.setTimeout(0)
      done(text.slice(0, text.indexOf('\n')))
    })
  })

/** A copy of the database in the `copyFolder` of its data folder. */
export interface DatabaseCopy extends Snapshot {
  /** Lets the service make the next copy; call it after removing this one. */
  release: () => Promise<void>
}

/**
 * Asks the service of the data folder for a copy of its database; undefined when no service listens. Throws with the
 * service's reason when it cannot make one.
 */
export const askForCopy = async (dataDir: string): Promise<DatabaseCopy | undefined> => {
  const socket = connect(controlPath(dataDir))
  try {
    await once(socket, 'connect')
  } catch {
    return undefined
  }
  socket.on('error', () => {}) // the service ended; the missing answer reports it
  socket.write(`${question}\n`)
  const line = await readLine(socket, 0)
  if (line === undefined) throw new Error('the service ended before the copy was made')
  const message = JSON.parse(line) as Answer
  if ('failure' in message) {
    socket.destroy()
    throw new Error(message.failure)
  }
  return {
    ...message,
    release: async () => void socket.destroy(),
  }
}
