import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import type { FromWorker, ToWorker } from './embedded-worker.ts'
import { lockFolder } from './folder-lock.ts'

/** The embedded database: one session of PGlite in a worker thread, on a folder that nobody else has open. */
export interface Embedded {
  /** What makes `pg` talk to it instead of to a network address. */
  connection: pg.ClientConfig
  close: () => Promise<void>
}

/** Where the database's files are, in the folder of the configuration: other files may stand beside them. */
export const databaseFolder = (dataDir: string) => join(dataDir, 'postgres')

/**
 * Opens the embedded database, creating it in an empty folder (about 3 s). It survives the death of its process at
 * any moment, but not a loss of power: it never calls fsync. Throws when the folder is in use by another process.
 */
export async function openEmbedded(dataDir: string): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(dataDir)
  try {
    await createIfMissing(dataDir)
    return serve(await startWorker(databaseFolder(dataDir)), unlock)
  } catch (err) {
    unlock()
    throw err
  }
}

/**
 * The folder appears whole or not at all, so that a first start which is killed half-way does no harm. Creating takes
 * a worker of its own: what it needs of memory, about 300 MB, ends with it.
 */
async function createIfMissing(dataDir: string): Promise<void> {
  if (existsSync(databaseFolder(dataDir))) return
  const unfinished = join(dataDir, 'postgres-being-created')
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  await stopWorker(await startWorker(unfinished))
  renameSync(unfinished, databaseFolder(dataDir))
}

async function startWorker(dir: string): Promise<Worker> {
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { dir },
    execArgv: [], // flags of this process, such as --input-type, are not meant for the worker's file
  })
  await once(worker, 'message') // 'ready'; rejects with the worker's error
  return worker
}

async function stopWorker(worker: Worker): Promise<void> {
  const exit = once(worker, 'exit')
  worker.postMessage({ socket: 0 } satisfies ToWorker)
  await exit
}

function serve(worker: Worker, unlock: () => void): Embedded {
  const sockets = new Map<number, Duplex>()
  let opened = 0
  let exited: Error | undefined
  const exit = once(worker, 'exit').then(unlock, unlock)

  const fail = (err: Error) => {
    exited ??= err
    for (const socket of sockets.values()) socket.destroy(exited)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the embedded database has stopped')))
  worker.on('message', ({ socket, bytes }: FromWorker) => sockets.get(socket)?.push(bytes))

  function openSocket(): Duplex {
    const id = ++opened
    const socket = createSocket((bytes) => {
      if (!exited) worker.postMessage({ socket: id, bytes } satisfies ToWorker)
    })
    socket.on('close', () => sockets.delete(id))
    sockets.set(id, socket)
    if (exited) socket.destroy(exited)
    return socket
  }

  return {
    connection: { stream: openSocket, user: 'postgres', database: 'postgres', host: 'embedded', ssl: false },
    async close() {
      worker.postMessage({ socket: 0 } satisfies ToWorker)
      await exit
    },
  }
}

/** A stream that `pg` takes for a TCP socket. `pg` writes whole messages, and a batch in one piece. */
function createSocket(send: (bytes: Uint8Array) => void): Duplex {
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      send(new Uint8Array(chunk))
      done()
    },
    writev(chunks, done) {
      send(new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))))
      done()
    },
    final(done) {
      done()
      socket.destroy()
    },
  })
  const connect = () => {
    setImmediate(() => socket.emit('connect'))
    return socket
  }
  const ignore = () => socket
  return Object.assign(socket, {
    connect,
    setNoDelay: ignore,
    setKeepAlive: ignore,
    ref: ignore,
    unref: ignore,
  })
}
