/** Exports of tenants that somebody has changed, with checksums that fit. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'

const blockBytes = 512
/** Fields of a header of POSIX.1-1988 (ustar): name, size and checksum. */
const [nameEnd, sizeAt, sizeEnd, sumAt, sumEnd] = [100, 124, 136, 148, 156]

interface Entry {
  name: string
  header: Buffer
  content: Buffer
}

type Row = Record<string, unknown>

const textOf = (bytes: Buffer): string => bytes.toString('latin1').replace(/\0.*$/s, '')

const entriesOf = (tar: Buffer): Entry[] => {
  const entries: Entry[] = []
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    const header = Buffer.from(tar.subarray(at, at + blockBytes))
    const size = Number.parseInt(textOf(header.subarray(sizeAt, sizeEnd)), 8)
    const from = at + blockBytes
    const content = tar.subarray(from, from + size)
    entries.push({ name: textOf(header.subarray(0, nameEnd)), header, content })
    at = from + Math.ceil(size / blockBytes) * blockBytes
  }
  return entries
}

/** Writes the size and the checksum, which counts its own field as spaces. */
const sealed = ({ header, content }: Entry): Buffer => {
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, sizeAt, 'latin1')
  header.fill(' ', sumAt, sumEnd)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, sumAt, 'latin1')
  const rest = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)
  return Buffer.concat([header, content, rest])
}

const changed = ({ content }: Entry, change: (row: Row) => Row): Buffer => {
  const lines = content.toString().split('\n').filter(Boolean)
  return Buffer.from(lines.map((line) => `${JSON.stringify(change(JSON.parse(line) as Row))}\n`).join(''))
}

/** Changes each row of some parts of an export. */
export const forgeExport = async (
  file: string,
  changes: Record<string, (row: Row) => Row>,
): Promise<void> => {
  const entries = entriesOf(gunzipSync(await readFile(file)))
  const [manifest, ...parts] = entries
  if (!manifest) throw new Error(`${file} is empty`)
  for (const part of parts) {
    const change = changes[part.name.replace(/\.ndjson$/, '')]
    if (change) part.content = changed(part, change)
  }
  const described = JSON.parse(manifest.content.toString()) as { files: { path: string }[] }
  described.files = described.files.map(({ path }) => {
    const content = parts.find(({ name }) => name === path)?.content ?? Buffer.alloc(0)
    return { path, size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  })
  manifest.content = Buffer.from(JSON.stringify(described))
  const tar = Buffer.concat([...entries.map(sealed), Buffer.alloc(2 * blockBytes)])
  await writeFile(file, gzipSync(tar))
}
