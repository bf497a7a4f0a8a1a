import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The files that stay; an older one is deleted when another is written. */
const filesMax = 200

/** The folder of e-mails in a data folder. */
export const mailFolderOf = (dataDir: string): string => join(resolve(dataDir), 'mail')

/** Writes e-mails into files that only this user can read: their links open accounts. */
export const createMailFolder = (dataDir: string) => {
  const folder = mailFolderOf(dataDir)
  return {
    /** Returns the path of the file. The same e-mail has the same file. */
    async write({ id, createdAt }: { id: string; createdAt: Date }, content: Buffer): Promise<string> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${createdAt.toISOString().replaceAll(':', '-')}-${id}.eml`)
      await writeFile(file, content, { mode: 0o600 })
      await deleteOldest(folder)
      return file
    },
  }
}

/** Their names begin with the time, so the order of names is that of age. */
const deleteOldest = async (folder: string): Promise<void> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted()
  for (const name of files.slice(0, -filesMax)) await rm(join(folder, name), { force: true })
}
