import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Proxies put a port behind an address, and an IPv6 address in brackets. */
const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/**
 * Reads the address of a socket or a proxy, without port, brackets and zone. Undefined for any other text, such as
 * `unknown`. Each address has one spelling: an IPv4-mapped address becomes IPv4.
 */
export const readAddress = (text = ''): string | undefined => {
  // Sockets give addresses in this form, and `isIPv4` takes no other spelling of one.
  if (isIPv4(text)) return text
  const [, bracketed, plain] = withPort.exec(text) ?? []
  const [address = ''] = (bracketed ?? plain ?? text).split('%')
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}

/**
 * The source of a request: an IPv4 address, or the /64 network of an IPv6 address, because one host owns the whole
 * network.
 */
export const sourceOf = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6
    ? `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
    : address.toString()
}
