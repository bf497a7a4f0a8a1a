/** Where the links in e-mails begin. */
import { BadValue, isLoopback, type Read } from './config-values.ts'

/** Pages that links open, by their names in TENANTRY_LINK_PAGES. */
export const linkPages = ['reset', 'verification', 'invitation', 'sign_up'] as const
export type LinkPage = (typeof linkPages)[number]
export type LinkPages = Partial<Record<LinkPage, string>>

const lengthMax = 1000

/** The token comes as the fragment. Only this machine may be reached without TLS. */
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

/** Reads `name=address` pairs with commas between them. A comma within an address is written as %2C. */
export const readLinkPages: Read<LinkPages> = (text) => {
  const pairs = text.split(',').map((pair) => /^([a-z_]+)=(.*)$/s.exec(pair.trim()) ?? refuse())
  const names = pairs.map(([, name]) => linkPages.find((one) => one === name) ?? refuse())
  if (new Set(names).size < names.length || !pairs.every(([, , address = '']) => isPage(address))) refuse()
  return Object.fromEntries(pairs.map(([, name = '', address = '']): [string, string] => [name, address]))
}
