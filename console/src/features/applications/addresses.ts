/**
 * The rules for addresses of applications (docs/contract.md, "Applications"). A test compares them with the
 * service's.
 */
import type { Application } from '@tenantry/client'

type Kind = Application['kind']

/** The reason why the service refuses an address; a key of `addressFaults`. */
export type AddressFault = 'fragment' | 'http' | 'incomplete' | 'pattern' | 'private' | 'scheme' | 'user'

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

const hostPattern = /^(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])$/

/** The characters of RFC 3986, without those of a host in brackets. */
const restPattern = /^(?:[A-Za-z0-9._~!$&'()+,;=:@/?-]|%[0-9A-Fa-f]{2})*$/

/** True if a browser keeps the host as written. It rewrites some hosts, such as 0x7f.1. */
const keepsHost = (text: string, host: string): boolean =>
  hostPattern.test(host) && URL.parse(text)?.hostname === host.toLowerCase()

/** Schemes that browsers and systems open themselves or pass to their own programs. */
const reservedSchemes =
  /^(?:about|blob|chrome|chrome-extension|content|data|edge|facetime|feed|file|filesystem|ftps?|https?|intent|irc|itms[a-z-]*|jar|javascript|ldaps?|mailto|maps|moz-extension|ms-[a-z-]+|news|nntp|resource|search-ms|sftp|shell|sips?|sms|ssh|tel|telnet|vbscript|view-source|vnc|webcal|wss?|x-apple[a-z.-]*):/

const partsOf = (text: string): string[] => /^(https?):\/\/([^/?]*)(.*)$/s.exec(text)?.slice(1) ?? []

const faultOfWeb = (text: string): AddressFault | undefined => {
  const [scheme, authority = '', rest = ''] = partsOf(text)
  if (authority.includes('@')) return 'user'
  const host = authority.replace(/:\d{1,5}$/, '')
  if (!keepsHost(text, host) || !restPattern.test(rest)) return 'incomplete'
  return scheme === 'https' || loopbackHosts.includes(host) ? undefined : 'http'
}

const faultOfPrivate = (kind: Kind, text: string): AddressFault | undefined => {
  if (!/^[^/?]+:/.test(text) || !restPattern.test(text)) return 'incomplete'
  if (kind !== 'native') return 'scheme'
  if (reservedSchemes.test(text) || !/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)*:\//.test(text)) return 'private'
  return text.includes('@') ? 'user' : undefined
}

/** The fault of an address. Undefined if an application of this kind may have the address. */
export const faultOfAddress = (kind: Kind, text: string): AddressFault | undefined => {
  if (text.includes('#')) return 'fragment'
  if (text.includes('*')) return 'pattern'
  return /^https?:\/\//.test(text) ? faultOfWeb(text) : faultOfPrivate(kind, text)
}

/** One address per line. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * The origins of a new application's redirect addresses. Its pages call from these origins, and users return to them
 * after they sign out. A native application has none.
 */
export const originsOf = (kind: Kind, redirectUris: string[]): string[] =>
  kind === 'native' ? [] : [...new Set(redirectUris.map((address) => new URL(address).origin))]

/** An installation's limit for each list of addresses. */
export const addressesMax = 20
