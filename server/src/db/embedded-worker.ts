/*
 * The thread that runs PGlite (PostgreSQL compiled to WebAssembly). A statement blocks its thread until it is done;
 * here it blocks no request that needs no database.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

export interface ToWorker {
  socket: number
  bytes?: Uint8Array
}

export interface FromWorker {
  socket: number
  bytes: Uint8Array<ArrayBuffer>
}

const settings = [
  'shared_buffers=16MB', // 265 MB of memory for the process instead of 370 to 520
  'jit=off',
  // Nothing checkpoints in this single-user mode but our own housekeeping; see embedded.ts.
  'max_wal_size=64MB',
  'min_wal_size=32MB',
]

const { dir } = workerData as { dir: string }
const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])]
const database = await PGlite.create(dir, { startParams })

/** There is one session, whoever connects: a new connection starts with what a new session would have. */
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

/** Replies go out as they come. PGlite would collect and parse them otherwise, and keep every one for good. */
function answer({ socket, bytes }: Required<ToWorker>): Promise<void> {
  if (bytes[0] === 0) resetSession() // the startup packet is the only one that does not begin with a letter
  const onRawData = (data: Uint8Array) => {
    const reply: FromWorker = { socket, bytes: new Uint8Array(data) } // a copy: `data` lies in PostgreSQL's own memory
    parentPort?.postMessage(reply, [reply.bytes.buffer])
  }
  return database.execProtocolRawStream(bytes, { syncToFs: false, onRawData })
}

parentPort?.on('message', ({ socket, bytes }: ToWorker) => {
  if (bytes) void answer({ socket, bytes })
  else void database.close().finally(() => parentPort?.close())
})
parentPort?.postMessage('ready')
