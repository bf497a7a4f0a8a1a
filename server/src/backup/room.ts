import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)

const megabytes = (bytes: number) => Math.ceil(bytes / 1e6)

/** Throws an Error of one line if the folder's file system has fewer free bytes. */
export const requireRoom = (folder: string, bytes: number): void => {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= bytes) return
  throw new Error(
    `there is not enough free space in ${folder}: ${megabytes(bytes)} MB are needed, ${megabytes(free)} MB are free`,
  )
}
