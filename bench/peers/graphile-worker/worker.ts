/** Delivers jobs of a table as signed requests. It begins and ends as it is told, so that its start is not measured. */
import { createHmac } from 'node:crypto'
import http from 'node:http'
import { Logger, makeWorkerUtils, run, type Runner, type Task } from 'graphile-worker'

interface Delivery {
  url: string
  id: string
  body: unknown
}

const connectionString = process.env['DATABASE_URL'] ?? ''
const key = Buffer.alloc(32, 'bench')
const agent = new http.Agent({ keepAlive: true })
const silent = new Logger(() => () => undefined)

const post = (url: string, headers: Record<string, string | number>, text: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', agent, headers, timeout: 10_000 }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', reject)
    request.end(text)
  })

/** Standard Webhooks, with the code that is quickest. */
const deliver: Task = async (payload) => {
  const { url, id, body } = payload as Delivery
  const text = JSON.stringify(body)
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  const status = await post(
    url,
    {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    text,
  )
  if (status < 200 || status > 299) throw new Error(`the answer was ${status}`)
}

/** `batched` has the settings that its page on performance advises. */
const workers = {
  plain: {},
  batched: { localQueue: { size: 500 }, completeJobBatchDelay: 100, failJobBatchDelay: 100 },
}

let runner: Runner | undefined

const begin = async (concurrentJobs: number, mode: keyof typeof workers): Promise<void> => {
  const worker = { connectionString, concurrentJobs, maxPoolSize: concurrentJobs + 2, ...workers[mode] }
  runner = await run({
    preset: { worker },
    logger: silent,
    noHandleSignals: true,
    taskList: { deliver },
  })
}

const utils = await makeWorkerUtils({ connectionString, logger: silent })
await utils.migrate()
await utils.release()

http
  .createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const answer = async () => {
      const mode = url.searchParams.get('mode') === 'batched' ? 'batched' : 'plain'
      if (url.pathname === '/begin') await begin(Number(url.searchParams.get('jobs')), mode)
      if (url.pathname === '/end') await runner?.stop()
    }
    answer().then(
      () => response.end('{}'),
      (err: unknown) => response.writeHead(500).end(String(err)),
    )
  })
  .listen(Number(process.env['PORT']), '127.0.0.1')
