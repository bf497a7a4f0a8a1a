import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The most files. Writing another file deletes the oldest one. */
const filesMax = 200

export const mailFolderOf = (dataDir: string): string => join(resolve(dataDir), 'mail')

/** Writes e-mails into files that only this user can read, because their links open accounts. */
export const createMailFolder = (dataDir: string) => {
  const folder = mailFolderOf(dataDir)
  return {
    /** Writes an e-mail, and returns the file's path. The same e-mail always has the same file. */
    async write({ id, createdAt }: { id: string; createdAt: Date }, content: Buffer): Promise<string> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${createdAt.toISOString().replaceAll(':', '-')}-${id}.eml`)
      await writeFile(file, content, { mode: 0o600 })
      await deleteOldest(folder)
      return file
    },
  }
}

/** Deletes the oldest files. Names begin with the time, so their order is the order of age. */
const deleteOldest = async (folder: string): Promise<void> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted()
  for (const name of files.slice(0, -filesMax)) await rm(join(folder, name), { force: true })
}
