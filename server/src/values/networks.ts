import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

interface Range {
  address: ipaddr.IPv4 | ipaddr.IPv6
  bits: number
}

/** An address with an optional prefix length. An IPv6 address with a zone does not match. */
const written = /^([^/%]+)(?:\/(\d{1,3}))?$/

/** The range of a CIDR text. An address is a range of one address. Undefined for any other text. */
const rangeOf = (text: string): Range | undefined => {
  const [, host = '', prefix] = written.exec(text) ?? []
  if (isIP(host) === 0) return undefined
  const width = isIP(host) === 6 ? 128 : 32
  const bits = Number(prefix ?? width)
  return bits > width ? undefined : withoutMapping(ipaddr.parse(host), bits)
}

/** Converts `::ffff:192.0.2.7` to the IPv4 address in it. */
const withoutMapping = (address: Range['address'], bits: number): Range => {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
  return isMapped ? { address: address.toIPv4Address(), bits: bits - 96 } : { address, bits }
}

export const isNetwork = (text: string): boolean => rangeOf(text) !== undefined

const isWithin = (inner: Range, outer: Range): boolean =>
  inner.address.kind() === outer.address.kind() &&
  inner.bits >= outer.bits &&
  inner.address.match(outer.address, outer.bits)

/** A set of networks. An empty list means all addresses. */
export interface Networks {
  has: (ip: string) => boolean
  /** True if this set contains all of `others`. */
  covers: (others: string[]) => boolean
}

export const networksOf = (texts: string[]): Networks => {
  if (texts.length === 0) return { has: () => true, covers: () => true }
  const ranges = texts.flatMap((text) => rangeOf(text) ?? [])
  const has = (text: string): boolean => {
    const inner = rangeOf(text)
    return inner !== undefined && ranges.some((outer) => isWithin(inner, outer))
  }
  return { has, covers: (others) => others.length > 0 && others.every(has) }
}
