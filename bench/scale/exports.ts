import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../contender.ts'
import { progress } from '../measure.ts'
import { forgetPeak, peakMiB, residentMiB } from '../process.ts'
import { api, asCaller } from '../service.ts'
import type { Tenant } from './ladder.ts'

/** One export of all audit records of a tenant. */
export interface ExportSample {
  seconds: number
  records: number
  /** Resident memory of the service before it, and its peak meanwhile. */
  beforeMiB: number
  peakMiB: number
}

export interface ExportMeasurement {
  rung: number
  samples: ExportSample[]
}

const lineFeed = 10

const countLines = async (response: IncomingMessage): Promise<number> => {
  let lines = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) lines++
  }
  return lines
}

const restMs = 500

/** Throws unless all records of the tenant came. */
const exportAll = async ({ url, pid }: Server, tenant: Tenant): Promise<ExportSample> => {
  const { headers } = await asCaller(url, tenant.callerAddress, tenant.id)
  await sleep(restMs)
  const beforeMiB = residentMiB(pid)
  forgetPeak(pid)
  const start = performance.now()
  const [response] = (await once(get(`${url}${api}/audit/export`, { headers }), 'response')) as [
    IncomingMessage,
  ]
  const records = await countLines(response)
  const seconds = (performance.now() - start) / 1000
  if (response.statusCode !== 200 || records < tenant.records) {
    throw new Error(`the export gave ${records} of ${tenant.records} records, status ${response.statusCode}`)
  }
  return { seconds, records, beforeMiB, peakMiB: peakMiB(pid) }
}

/** Exports of all sizes in turn, as often as there are rounds. */
export const measureExports = async (
  server: Server,
  rungs: Tenant[],
  rounds: number,
): Promise<ExportMeasurement[]> => {
  const measured = rungs.map((_tenant, rung): ExportMeasurement => ({ rung, samples: [] }))
  for (let round = 1; round <= rounds; round++) {
    for (const [rung, tenant] of rungs.entries()) {
      progress(`export, round ${round}/${rounds}: ${tenant.records.toLocaleString('en')} records`)
      measured[rung]?.samples.push(await exportAll(server, tenant))
    }
  }
  return measured
}
