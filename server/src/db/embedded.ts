import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import type { Bytes, FromWorker, ToWorker } from './embedded-worker.ts'
import { folderFault } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { moduleEnding } from '../program-files.ts'

/** The embedded database: one session of PGlite in a worker thread. Only this process has its folder open. */
export interface Embedded {
  /** Makes `pg` use PGlite instead of a network address. */
  connection: pg.ClientConfig
  /** Copies the database's files, as of one moment, into a new folder. Throws if that fails. */
  copyTo: (folder: string) => Promise<void>
  close: () => Promise<void>
}

/** The database's folder inside the data folder, which may hold other files. */
export const databaseFolder = (dataDir: string) => join(dataDir, 'postgres')

/** The key of the embedded database's secrets (start/secret-keys.ts). */
export const secretKeyFile = (dataDir: string) => join(dataDir, 'secret.key')

/** A database during its restoration. */
export const restoreFolder = (dataDir: string) => join(dataDir, 'postgres-being-restored')

/** A copy for a backup, until the archive contains it. */
export const copyFolder = (dataDir: string) => join(dataDir, 'postgres-being-copied')

/**
 * Opens the embedded database. In an empty folder it creates one, in about 3 s. The database survives the end of its
 * process at any moment, but not a loss of power: it never calls fsync. Throws FolderInUse if another process has the
 * folder, and FolderFault if the folder is unusable.
 */
export async function openEmbedded(dataDir: string): Promise<Embedded> {
  const unlock = lockNewFolder(dataDir)
  try {
    for (const folder of [restoreFolder(dataDir), copyFolder(dataDir)]) {
      rmSync(folder, { recursive: true, force: true }) // left by a killed process
    }
    await createIfMissing(dataDir)
    return serve(await startWorker(databaseFolder(dataDir)), unlock)
  } catch (err) {
    unlock()
    throw folderFault(dataDir, err)
  }
}

function lockNewFolder(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return lockFolder(dataDir)
  } catch (err) {
    throw folderFault(dataDir, err)
  }
}

/**
 * Creates the folder completely or not at all, so that a killed first start leaves no half database. A separate worker
 * creates it, because the end of that worker frees 300 MB of memory.
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
  const worker = new Worker(new URL(`./embedded-worker${moduleEnding}`, import.meta.url), {
    workerData: { dir },
    execArgv: [], // flags of this process, such as --input-type, must not reach the worker
  })
  const started = new AbortController()
  const ended = once(worker, 'exit', started).then(([code]) => {
    throw new Error(`the embedded database ended at its start with code ${code}`)
  })
  try {
    await Promise.race([once(worker, 'message', started), ended]) // 'ready'; rejects with the worker's error
  } finally {
    started.abort()
  }
  return worker
}

async function stopWorker(worker: Worker): Promise<void> {
  const exit = once(worker, 'exit')
  worker.postMessage('close' satisfies ToWorker)
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
  worker.on('message', (message: FromWorker) => {
    if (!('copied' in message)) sockets.get(message.socket)?.push(message.bytes)
  })

  function openSocket(): Duplex {
    const id = ++opened
    const socket = createSocket((bytes) => {
      if (!exited) worker.postMessage({ socket: id, bytes } satisfies Bytes)
    })
    socket.on('close', () => sockets.delete(id))
    sockets.set(id, socket)
    if (exited) socket.destroy(exited)
    return socket
  }

  return {
    connection: { stream: openSocket, user: 'postgres', database: 'postgres', host: 'embedded', ssl: false },
    copyTo: (folder) => copyFiles(worker, folder),
    async close() {
      worker.postMessage('close' satisfies ToWorker)
      await exit
    },
  }
}

function copyFiles(worker: Worker, folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromWorker) => {
      if (!('copied' in message)) return
      end()
      if (message.failure === undefined) resolve()
      else reject(new Error(`the database cannot be copied: ${message.failure}`))
    }
    const onExit = () => {
      end()
      reject(new Error('the embedded database has stopped'))
    }
    const end = () => {
      worker.off('message', onMessage)
      worker.off('exit', onExit)
    }
    worker.on('message', onMessage)
    worker.on('exit', onExit)
    worker.postMessage({ copyTo: folder } satisfies ToWorker)
  })
}

/** A stream that `pg` uses like a TCP socket. `pg` writes whole messages, and a batch in one piece. */
function createSocket(send: (bytes: Uint8Array<ArrayBuffer>) => void): Duplex {
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
