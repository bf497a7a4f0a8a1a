/** Pages of a product that replace the service's own pages in e-mail links. */
import { BadValue, isLoopback, type Read } from './config-values.ts'

/** Kinds of links, by their names in TENANTRY_LINK_PAGES. */
export const linkPages = ['reset', 'verification', 'invitation', 'sign_up'] as const
export type LinkPage = (typeof linkPages)[number]
export type LinkPages = Partial<Record<LinkPage, string>>

const lengthMax = 1000

/** The link appends the token as the fragment, so that the address has none. Only a loopback address may lack TLS. */
const isPage = (text: string): boolean => {
  if (text.length > lengthMax || !/^https?:\/\/[!-~]+$/.test(text) || text.includes('#')) return false
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url.hostname)
}

const refuse = (): never => {
  throw new BadValue(
    `must be such as reset=https://app.example.com/reset with commas between pages; the pages are ${linkPages.join(', ')}, ` +
      'each once, and an address is https, without a fragment or password',
  )
}

/** Comma-separated `name=address` pairs. A comma within an address is written as %2C. */
export const readLinkPages: Read<LinkPages> = (text) => {
  const pairs = text.split(',').map((pair) => /^([a-z_]+)=(.*)$/s.exec(pair.trim()) ?? refuse())
  const names = pairs.map(([, name]) => linkPages.find((one) => one === name) ?? refuse())
  if (new Set(names).size < names.length || !pairs.every(([, , address = '']) => isPage(address))) refuse()
  return Object.fromEntries(pairs.map(([, name = '', address = '']): [string, string] => [name, address]))
}
