/**
 * The thread that runs PGlite (PostgreSQL compiled to WebAssembly). A statement blocks its thread. In this thread it
 * does not block requests without database work.
 */
import { constants, cpSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

export interface Bytes {
  socket: number
  bytes: Uint8Array<ArrayBuffer>
}

export type ToWorker = Bytes | { copyTo: string } | 'close'

/** A reply for a socket, or the end of a copy. `failure` is the reason why a copy failed. */
export type FromWorker = Bytes | { copied: true; failure?: string }

const settings = [
  'shared_buffers=16MB', // 265 MB of memory for the process instead of 370 to 520
  'jit=off',
  // Single-user mode has no checkpointer. `vacuumAndCheckpoint` does its work (maintenance.ts).
  'max_wal_size=64MB',
  'min_wal_size=32MB',
]

const { dir } = workerData as { dir: string }
const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])]
const database = await PGlite.create(dir, { startParams })

/** All connections share PGlite's only session, so each new connection must reset it. */
function resetSession() {
  for (const text of ['rollback', 'discard all']) database.execProtocolRawSync(simpleQuery(text))
}

function simpleQuery(text: string): Uint8Array {
  const message = Buffer.alloc(text.length + 6)
  message.write('Q')
  message.writeUInt32BE(text.length + 5, 1)
  message.write(text, 5)
  return message
}

/** Sends replies as they arrive. Otherwise PGlite would collect and parse them, and never free them. */
function answer({ socket, bytes }: Bytes): Promise<void> {
  if (bytes[0] === 0) resetSession() // only the startup packet begins with a zero byte
  const onRawData = (data: Uint8Array) => {
    const reply: Bytes = { socket, bytes: new Uint8Array(data) } // a copy: `data` is in PostgreSQL's own memory
    parentPort?.postMessage(reply, [reply.bytes.buffer])
  }
  return database.execProtocolRawStream(bytes, { syncToFs: false, onRawData })
}

/** Nothing writes while this thread copies. The copy therefore equals the files after a crash at that moment. */
function copy(folder: string): void {
  const reply: FromWorker = { copied: true }
  try {
    cpSync(dir, folder, {
      recursive: true,
      errorOnExist: true,
      force: false,
      mode: constants.COPYFILE_FICLONE,
    })
  } catch (err) {
    reply.failure = (err as Error).message
  }
  parentPort?.postMessage(reply)
}

parentPort?.on('message', (message: ToWorker) => {
  if (message === 'close') void database.close().finally(() => parentPort?.close())
  else if ('copyTo' in message) copy(message.copyTo)
  else void answer(message)
})
parentPort?.postMessage('ready')
