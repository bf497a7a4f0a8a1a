/** The costs of a PostgreSQL server on this machine. */
import { readFileSync } from 'node:fs'
import { cpuSeconds } from './process.ts'
import { query } from '../lab/databases.ts'

/** The main process of a server. */
const postmasterOf = async (url: string): Promise<number> => {
  const { rows } = await query(
    url,
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
  )
  return rows[0].pid as number
}

/** The processor seconds of a server, also of its processes that have ended. One that ends at this moment is read again. */
const secondsOf = (pid: number, tries = 20): number => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return cpuSeconds(pid) + (Number(fields[13]) + Number(fields[14])) / 100
  } catch (err) {
    if (tries === 0) throw err
    return secondsOf(pid, tries - 1)
  }
}

/** The processor time of a server since its start, and its writes into one database. */
export interface Spent {
  cpuSeconds: number
  walBytes: number
  /** Rows inserted, updated and deleted. */
  rows: number
  commits: number
}

const spentText = `
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes",
    (tup_inserted + tup_updated + tup_deleted)::float8 as rows, xact_commit::float8 as commits
  from pg_stat_database where datname = current_database()`

export const spentBy = async (url: string): Promise<Spent> => {
  const cpu = secondsOf(await postmasterOf(url))
  const { rows } = await query(url, spentText)
  return { ...(rows[0] as Omit<Spent, 'cpuSeconds'>), cpuSeconds: cpu }
}

/** The share of each of so many units of work. */
export const spentOn = (before: Spent, after: Spent, units: number): Spent => ({
  cpuSeconds: (after.cpuSeconds - before.cpuSeconds) / units,
  walBytes: (after.walBytes - before.walBytes) / units,
  rows: (after.rows - before.rows) / units,
  commits: (after.commits - before.commits) / units,
})
