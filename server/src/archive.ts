import { createHash } from 'node:crypto'
import { closeSync, createReadStream, existsSync, readSync, rmSync, statSync, type Dirent } from 'node:fs'
import { link, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { create, Parser, type ReadEntry } from 'tar'
import type { Static } from 'typebox'
import { checkOf } from './values/check.ts'
import { Type } from './values/type.ts'
import { openNamed } from './named-file.ts'
import { version } from './version.ts'

/** The newest archive layout that this program writes and reads. */
const formatVersion = 1
/** The first bytes of a gzipped file (RFC 1952). */
const gzipMagic = 0x1f8b
const manifestName = 'manifest.json'
/** The largest manifest. A database of a terabyte has about 5,000 files. */
const manifestBytesMax = 64 * 1024 * 1024

const Manifest = Type.Object({
  kind: Type.String(),
  format: Type.Integer({ minimum: 1 }),
  version: Type.String(),
  created_at: Type.String(),
  /** Facts that only this kind of archive has. */
  about: Type.Unknown(),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      size: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
})
export type Manifest = Static<typeof Manifest>
const isSound = checkOf(Manifest)
type ManifestFile = Manifest['files'][number]

export type ArchiveKind = 'tenantry-backup' | 'tenantry-tenant'

export type OnProgress = (doneBytes: number, totalBytes: number) => void

/** Throws an Error of one line unless `file` can be created: its folder exists and the name is free. */
export const requireWritable = (file: string): void => {
  const folder = dirname(file)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`the folder ${folder} does not exist`)
  }
  if (existsSync(file)) throw new Error(`${file} exists already, and is not overwritten`)
}

/**
 * Packs the files and folders in `folder` into `file`: a gzipped tar that only its owner can read. It begins with a
 * manifest of sizes and checksums. The file appears complete or not at all, and never replaces another.
 */
export const writeArchive = async (
  file: string,
  folder: string,
  { kind, about }: { kind: ArchiveKind; about: unknown },
  onProgress: OnProgress,
): Promise<Manifest> => {
  const files = await describeFiles(folder)
  const manifest = {
    kind,
    format: formatVersion,
    version,
    created_at: new Date().toISOString(),
    about,
    files,
  }
  await writeFile(join(folder, manifestName), JSON.stringify(manifest, undefined, 2), { mode: 0o600 })
  const partial = `${file}.partial`
  const removePartial = () => rmSync(partial, { force: true })
  removePartial()
  process.once('exit', removePartial)
  try {
    await pack(partial, folder, files, onProgress)
    await publish(partial, file)
  } catch (err) {
    throw (err as NodeJS.ErrnoException).code === 'ENOSPC' ? noRoom(dirname(file), err) : err
  } finally {
    removePartial()
    process.off('exit', removePartial)
  }
  return manifest
}

const noRoom = (folder: string, cause: unknown) =>
  new Error(`there is not enough free space in ${folder}`, { cause })

const pack = async (
  file: string,
  folder: string,
  files: ManifestFile[],
  onProgress: OnProgress,
): Promise<void> => {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const onWriteEntry = ({ stat: packed }: { stat?: { size: number; isFile(): boolean } }) => {
    if (packed?.isFile()) done += packed.size
    onProgress(Math.min(done, total), total)
  }
  const names = (await readdir(folder)).filter((name) => name !== manifestName)
  const options = { file, cwd: folder, mode: 0o600, portable: true, strict: true, onWriteEntry }
  // Level 3 takes a third of the default level's time, and makes the file a tenth larger.
  await create({ ...options, gzip: { level: 3 } }, [manifestName, ...names])
}

/**
 * Gives the complete file its name. A hard link fails if the name exists, while a rename would replace the file. Some
 * file systems have no links.
 */
const publish = async (partial: string, file: string): Promise<void> => {
  try {
    await link(partial, file)
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    if (code === 'EEXIST' || existsSync(file)) {
      throw new Error(`${file} exists already, and is not overwritten`, { cause: err })
    }
    await rename(partial, file)
  }
}

/** Uses `/` on every platform. */
const pathWithin = (folder: string, { parentPath, name }: Dirent) =>
  relative(folder, join(parentPath, name)).split(sep).join('/')

const describeFiles = async (folder: string): Promise<ManifestFile[]> => {
  const files: ManifestFile[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const path = pathWithin(folder, entry)
    if (!entry.isFile()) throw new Error(`${path} is neither a file nor a folder, and cannot be packed`)
    const { size } = await stat(join(folder, path))
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(join(folder, path))) hash.update(chunk as Buffer)
    files.push({ path, size, sha256: hash.digest('hex') })
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Receives the parts of an archive as it is read. */
export interface ArchiveReader {
  /** Called first. Throws to refuse the archive. */
  begin(manifest: Manifest): Promise<void> | void
  folder?(path: string): Promise<void>
  /** Must read the whole body. At its end the body throws if its checksum differs from the manifest. */
  file(path: string, body: AsyncIterable<Buffer>): Promise<void>
}

/**
 * Reads an archive once, in constant memory, in the order of its writing. Throws an Error of one line that names the
 * archive and the fault: a path outside the root, a link, a wrong size or checksum. Callers must discard everything
 * that they read before an error.
 */
export const readArchive = async (file: string, kind: ArchiveKind, reader: ArchiveReader): Promise<void> => {
  const damaged = (what: string, cause?: unknown) => new Error(`${file} is damaged: ${what}`, { cause })
  let expected: Map<string, ManifestFile> | undefined

  const take = async (entry: ReadEntry): Promise<void> => {
    if (!expected) {
      const manifest = await readManifest(entry, kind, file)
      expected = new Map(manifest.files.map((one) => [one.path, one]))
      await reader.begin(manifest)
      return
    }
    const path = entry.path.replace(/\/$/, '')
    if (!isWithin(path)) throw damaged(`${JSON.stringify(path)} leads out of it`)
    if (entry.type === 'Directory') {
      entry.resume()
      await reader.folder?.(path)
      return
    }
    const described = expected.get(path)
    if (entry.type !== 'File' || !described) throw damaged(`${path} does not belong there`)
    expected.delete(path)
    await reader.file(path, verified(entry, described, damaged))
  }

  await eachEntry(file, take).catch((err: unknown) => {
    if (!isUnreadable(err)) throw err
    throw damaged('it breaks off, or is no archive', err)
  })
  if (!expected) throw damaged('it has no manifest')
  const [missing] = expected.keys()
  if (missing !== undefined) throw damaged(`${missing} is missing`)
}

/** Error codes of reading tar and gzip. */
const isUnreadable = (err: unknown) =>
  /^(TAR_|Z_|ZLIB_|ERR_ZLIB)/.test(
    String((err as { tarCode?: string }).tarCode ?? (err as { code?: string }).code),
  )

/** Rejects drives and backslashes too, for Windows. */
const isWithin = (path: string): boolean =>
  path !== '' && !/[\\:\0]/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part))

/** Checks the first bytes. The parser would search a large file of another kind for entries to its end. */
const openArchive = (file: string): number => {
  const fd = openNamed(file)
  const head = Buffer.alloc(2)
  readSync(fd, head, 0, head.length, 0)
  if (head.readUInt16BE() === gzipMagic) return fd
  closeSync(fd)
  throw new Error(`${file} is damaged: it breaks off, or is no archive`)
}

/** Throws an Error of one line for a file that is not an archive, before a command opens a store. */
export const requireArchive = (file: string): void => closeSync(openArchive(file))

/** Reads entries one after the other. After it throws, no read is in progress and the output can be removed. */
const eachEntry = async (file: string, take: (entry: ReadEntry) => Promise<void>): Promise<void> => {
  // The manifest limits the size: empty pages of a database exceed any fixed compression ratio.
  const parser = new Parser({ strict: true, maxDecompressionRatio: Infinity })
  const source = createReadStream(file, { fd: openArchive(file) })
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  let taken = Promise.resolve()
  let current: ReadEntry | undefined
  let hasFailed = false
  // The parser emits the next entry after this entry was read to its end.
  parser.on('entry', (entry: ReadEntry) => {
    entry.on('error', () => {}) // the reader of the entry receives this error too
    taken = taken.then(() => {
      current = entry
      return hasFailed ? undefined : take(entry)
    })
    taken.catch(reject)
  })
  parser.on('ignoredEntry', ({ path }: ReadEntry) => reject(new Error(`${file} holds ${path}, unreadable`)))
  parser.on('error', reject)
  parser.on('end', resolve)
  source.on('error', reject)
  source.pipe(parser)
  try {
    await ended
    await taken
  } catch (err) {
    hasFailed = true
    source.destroy()
    current?.destroy(err)
    await taken.catch(() => {})
    throw err
  }
}

async function* verified(
  entry: ReadEntry,
  { path, size, sha256 }: ManifestFile,
  damaged: (what: string) => Error,
): AsyncGenerator<Buffer> {
  if (entry.size !== size) throw damaged(`${path} is not of the size in the manifest`)
  const hash = createHash('sha256')
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw damaged(`${path} differs from its checksum`)
}

const readManifest = async (entry: ReadEntry, kind: ArchiveKind, file: string): Promise<Manifest> => {
  const isManifest = entry.path === manifestName && entry.type === 'File' && entry.size <= manifestBytesMax
  const manifest = isManifest ? parseManifest(await entry.concat()) : undefined
  if (manifest?.kind !== kind) throw new Error(`${file} is not ${names[kind]}`)
  if (manifest.format > formatVersion) {
    throw new Error(`${file} was written by Tenantry ${manifest.version}, which is newer than this program`)
  }
  return manifest
}

const names: Record<ArchiveKind, string> = {
  'tenantry-backup': 'a backup made by `tenantry backup`',
  'tenantry-tenant': 'a tenant exported by `tenantry tenant export`',
}

const parseManifest = (bytes: Buffer): Manifest | undefined => {
  try {
    const manifest: unknown = JSON.parse(bytes.toString())
    return isSound(manifest) ? manifest : undefined
  } catch {
    return undefined
  }
}
