import { readdir, readFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Resources of a process. */
export interface Sizes {
  residentMiB: number
  /** Open files and connections; 0 where the system does not report them. */
  files: number
}

const residentKiB = async (pid: number): Promise<number> => {
  if (process.platform !== 'linux') return Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout)
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}

const openFiles = async (pid: number): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`).catch(() => [])).length

export const sizesOf = async (pid: number): Promise<Sizes> => ({
  residentMiB: Math.round((await residentKiB(pid)) / 1024),
  files: await openFiles(pid),
})

export const shownSizes = ({ residentMiB, files }: Sizes): string => `${residentMiB} MiB, ${files} files`
