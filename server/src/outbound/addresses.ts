/** Decides which addresses the service may send to (docs/contract.md, "Webhooks"). */
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isNetwork, networksOf } from '../values/networks.ts'

export type Resolve = (name: string) => Promise<string[]>

export interface AddressPolicy {
  /** Names, addresses and ranges that the operator allows although they are not public. */
  privateHosts: string[]
  allowsLoopback: boolean
}

/** Thrown instead of connecting. The message names no address, because the owner of the hook sees the message. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The prefix of RFC 6052: IPv4 behind a translator. Other prefixes of translators are not globally reachable. */
const nat64 = ipaddr.IPv6.parse('64:ff9b::')
/** The only range of IPv6 addresses that IANA has assigned for the Internet. */
const globalUnicast = ipaddr.IPv6.parse('2000::')

/** Extracts a mapped or translated IPv4 address from an IPv6 address. */
const innermost = (address: Address): Address => {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(nat64, 96) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

const isGlobal = (address: Address): boolean =>
  address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalUnicast, 3))

/** True if the service may connect to an IP address. */
const judgeBy = ({ privateHosts, allowsLoopback }: AddressPolicy) => {
  const ranges = privateHosts.filter(isNetwork)
  const named = networksOf(ranges)
  return (text: string): boolean => {
    const address = innermost(ipaddr.parse(text))
    if (ranges.length > 0 && (named.has(text) || named.has(address.toString()))) return true
    return address.range() === 'loopback' ? allowsLoopback : isGlobal(address)
  }
}

/**
 * Resolves names by DNS outside Node's thread pool, which hashes passwords. A slow DNS server therefore delays no
 * sign-in. Reads no hosts file. Without `servers`, uses the servers of the machine.
 */
export const resolveBy = (servers?: string[]): Resolve => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    if (/^(?:.*\.)?localhost\.?$/.test(name)) return ['127.0.0.1', '::1']
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  }
}

const resolveNamed: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * The addresses of a URL's host. Throws Unreachable if there are none, or if one of them is not allowed. Connect only
 * to these, because a second look-up could give others.
 */
export type FindAddresses = (hostname: string) => Promise<string[]>

export const addressesBy = (policy: AddressPolicy, resolve: Resolve = resolveBy()): FindAddresses => {
  const isAllowed = judgeBy(policy)
  return async (hostname) => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(host) === 0 && policy.privateHosts.includes(host)) return resolveNamed(host)
    const addresses = isIP(host) === 0 ? await resolve(host) : [host]
    if (addresses.length === 0) throw new Unreachable('the host has no address')
    if (!addresses.every(isAllowed)) throw new Unreachable('the host has an address that is not public')
    return addresses
  }
}
