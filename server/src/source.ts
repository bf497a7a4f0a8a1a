import ipaddr from 'ipaddr.js'

/**
 * Returns the source of a request: an IPv4 address, or the /64 network of an IPv6 address, since one host owns it
 * whole.
 */
export const sourceOf = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6
    ? `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
    : address.toString()
}
