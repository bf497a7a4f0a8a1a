/** Files that an operator names on the command line or in a setting. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** The largest file that is read completely. A catalogue with all permissions and templates has less than 1 MiB. */
const wholeBytesMax = 4 * 1024 * 1024

const faultOf = ({ code }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`

/** Opens a file without waiting for a pipe. Throws an Error of one line unless it is a regular file. */
export const openNamed = (path: string): number => {
  let fd: number
  try {
    // Windows has no such flag, and no such pipes.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (err) {
    throw new Error(`${path} ${faultOf(err as NodeJS.ErrnoException)}`, { cause: err })
  }
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw new Error(`${path} is not a regular file`)
}

/** The text of a file. Throws an Error of one line unless it is a regular file of at most `bytesMax`. */
export const readNamed = (path: string, bytesMax = wholeBytesMax): string => {
  const fd = openNamed(path)
  try {
    // Does not use the size that the system reports, because the file can grow.
    const bytes = Buffer.alloc(bytesMax + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(fd, bytes, length, bytes.length - length, null)
    }
    if (length > bytesMax) throw new Error(`${path} is larger than ${bytesMax / 1024} KiB`)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(fd)
  }
}
