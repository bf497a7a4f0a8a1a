/** Settings about sign-in by the tenants' providers. */
import { isIP, isIPv6 } from 'node:net'
import { isHostOrRange, list } from './config-values.ts'

const server = /^(?:\[([\d:a-f.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i

const isDnsServer = (text: string): boolean => {
  const [, six, four, port = '53'] = server.exec(text) ?? []
  return isIPv6(text) || (isIP(six ?? four ?? '') !== 0 && Number(port) > 0 && Number(port) < 65_536)
}

export const ssoSettings = {
  dnsServers: {
    name: 'TENANTRY_DNS_SERVERS',
    unset: 'unset: those of the machine',
    meaning:
      'Servers that are asked for the TXT records of domains: IP addresses, each with or without a port, separated by ' +
      'commas.',
    read: list(isDnsServer, 'must be IP addresses such as 9.9.9.9, 9.9.9.9:53 or [2620:fe::fe]:53'),
  },
  ssoPrivateHosts: {
    name: 'TENANTRY_SSO_PRIVATE_HOSTS',
    unset: 'unset: none',
    meaning:
      'Hosts of sign-in providers whose addresses are not public: names, addresses and ranges, separated by commas. A name ' +
      'stands for all its addresses.',
    read: list(
      isHostOrRange,
      'must be host names in lower case, IP addresses or ranges such as 10.0.0.0/8, and none of them /0',
    ),
  },
}
