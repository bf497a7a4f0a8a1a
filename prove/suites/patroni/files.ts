import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine, Network } from '../../own-machines.ts'

/** The file as an operator gets it. */
export const shipped = (name: string): string =>
  readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')

/** Replaces every occurrence of each text. Throws for a text that the file does not have. */
export const fill = (text: string, places: Record<string, string>): string =>
  Object.entries(places).reduce((filled, [place, value]) => {
    if (!filled.includes(place)) throw new Error(`the file of deploy/ has no ${place}`)
    return filled.replaceAll(place, value)
  }, text)

/** The file for another machine: marked lines name that machine instead of the first one. */
const forMachine = (text: string, first: RegExp, { name, address }: Machine, prefix: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.endsWith('# this machine')
        ? line.replace(first, name).replace('10.0.0.11', address)
        : line.replaceAll('10.0.0.', prefix),
    )
    .join('\n')

/** Writes a file of deploy/patroni/ for this machine into its folder, and returns the path. */
export const place = (
  { prefix }: Network,
  machine: Machine,
  file: string,
  places: Record<string, string>,
): string => {
  const text = forMachine(shipped(`patroni/${file}`), /\bdb1\b/, machine, prefix)
  const path = join(machine.folder, file)
  writeFileSync(path, fill(text, places), { mode: 0o600 })
  // Redis and Sentinel write into their files.
  const { uid, gid } = statSync(machine.folder)
  chownSync(path, uid, gid)
  return path
}

/** The password that the file has for a user. */
export const passwordOf = (user: string): string => `change-me-${user}`
