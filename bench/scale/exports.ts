import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../contender.ts'
import { progress } from '../progress.ts'
import { forgetPeak, isInterrupted, peakMB, residentMB } from '../process.ts'
import { api, asCaller } from '../service.ts'
import type { Tenant } from './ladder.ts'

/** One export of all audit records of a tenant. */
export interface ExportSample {
  seconds: number
  records: number
  /** The size of the export. */
  megabytes: number
  /** Resident memory of the service before the export, and its peak during it. */
  beforeMB: number
  peakMB: number
}

export interface ExportMeasurement {
  rung: number
  samples: ExportSample[]
}

const lineFeed = 10

const count = async (response: IncomingMessage): Promise<{ records: number; megabytes: number }> => {
  let [records, bytes] = [0, 0]
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) records++
  }
  return { records, megabytes: bytes / 1e6 }
}

const restMs = 500

/** Throws unless the export has all records of the tenant. */
const exportAll = async ({ url, pid }: Server, tenant: Tenant): Promise<ExportSample> => {
  const { headers } = await asCaller(url, tenant.callerAddress, tenant.id)
  await sleep(restMs)
  const beforeMB = residentMB(pid)
  forgetPeak(pid)
  const start = performance.now()
  const [response] = (await once(get(`${url}${api}/audit/export`, { headers }), 'response')) as [
    IncomingMessage,
  ]
  const { records, megabytes } = await count(response)
  const seconds = (performance.now() - start) / 1000
  if (response.statusCode !== 200 || records < tenant.records) {
    throw new Error(`the export has ${records} of ${tenant.records} records, status ${response.statusCode}`)
  }
  return { seconds, records, megabytes, beforeMB, peakMB: peakMB(pid) }
}

/** Starts a service for one export: an earlier export would still fill its memory. */
const exportFresh = async (launch: () => Promise<Server>, tenant: Tenant): Promise<ExportSample> => {
  if (isInterrupted()) throw new Error('interrupted')
  const server = await launch()
  try {
    return await exportAll(server, tenant)
  } finally {
    await server.stop()
  }
}

/** Exports the records of each tenant in turn, once per round. */
export const measureExports = async (
  launch: () => Promise<Server>,
  rungs: Tenant[],
  rounds: number,
): Promise<ExportMeasurement[]> => {
  const measured = rungs.map((_tenant, rung): ExportMeasurement => ({ rung, samples: [] }))
  for (let round = 1; round <= rounds; round++) {
    for (const [rung, tenant] of rungs.entries()) {
      progress(`export, round ${round}/${rounds}: ${tenant.records.toLocaleString('en')} records`)
      measured[rung]?.samples.push(await exportFresh(launch, tenant))
    }
  }
  return measured
}
