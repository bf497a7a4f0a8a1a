/** The forms of the addresses that applications register (docs/contract.md, "Applications"; decision 0191). */

/** Path and query (RFC 3986), without `*`: no address is a pattern. */
const rest = String.raw`(?:[A-Za-z0-9._~!$&'()+,;=:@/?-]|%[0-9A-Fa-f]{2})*`
const host = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]`
const webAddress = new RegExp(String.raw`^(https?)://(${host})(?::\d{1,5})?(?:[/?]${rest})?$`)
/** Browsers and systems open these themselves, or give them to programs of their own. */
const opened =
  'about|blob|chrome|chrome-extension|content|data|edge|facetime|feed|file|filesystem|ftps?|https?|intent|irc|itms[a-z-]*|' +
  'jar|javascript|ldaps?|mailto|maps|moz-extension|ms-[a-z-]+|news|nntp|resource|search-ms|sftp|shell|sips?|sms|ssh|tel|' +
  'telnet|vbscript|view-source|vnc|webcal|wss?|x-apple[a-z.-]*'
const privateAddress = new RegExp(
  String.raw`^(?!(?:${opened}):)[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)*:/(?!.*@)${rest}$`,
)

/** Only a program of the same machine answers at these. */
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** Scheme and host of a web address, as text; undefined for any other text. */
const readWebAddress = (text: string): { scheme: string; name: string } | undefined => {
  const [, scheme = '', name = ''] = webAddress.exec(text) ?? []
  // A browser reads some names as another host, such as 0x7f.1.
  const isOneHost = scheme !== '' && URL.parse(text)?.hostname === name.toLowerCase()
  return isOneHost ? { scheme, name } : undefined
}

/** Whether a text is `https`, or `http` of the same machine, without fragment, user and pattern. */
const isWebAddress = (text: string): boolean => {
  const found = readWebAddress(text)
  return found !== undefined && (found.scheme === 'https' || loopbackHosts.includes(found.name))
}

/** Whether an application of a kind may be sent back to an address. */
export const isReturnAddress = (kind: 'web' | 'browser' | 'native', text: string): boolean =>
  isWebAddress(text) || (kind === 'native' && privateAddress.test(text))

/** Whether a text names a client by the address of its metadata: `https` with a path, in the one form that URLs have. */
export const isDocumentAddress = (text: string): boolean => {
  const url = readWebAddress(text)?.scheme === 'https' ? URL.parse(text) : null
  return url !== null && url.pathname !== '/' && url.href === text
}

/** Whether a text is the origin of web pages, as browsers write it. */
export const isOrigin = (text: string): boolean => isWebAddress(text) && URL.parse(text)?.origin === text

const fragment = new RegExp(`#${rest}$`)

/** Whether a page can link to the address. */
export const isPageAddress = (text: string): boolean => isWebAddress(text.replace(fragment, ''))

/** Whether logout tokens can be sent to an address. As for webhooks, `http` serves outside production. */
export const isReceiver = (text: string, mayBePlain: boolean): boolean => {
  const found = readWebAddress(text)
  return found !== undefined && (found.scheme === 'https' || mayBePlain)
}

const located = new RegExp(
  String.raw`^([A-Za-z][A-Za-z0-9+.-]*://(?:${host})(?::\d{1,5})?)((?:[/?]${rest})?)$`,
)
const named = new RegExp(String.raw`^(?!https?:)([A-Za-z][A-Za-z0-9+.-]*:)((?!//|$)${rest})$`, 'i')

/**
 * The text by which identifiers of resources are compared: scheme and host in lower case, an empty path as "/". Undefined
 * for a text that is no absolute URI without fragment and user.
 */
export const foldIdentifier = (text: string): string | undefined => {
  const [, place, path = ''] = located.exec(text) ?? named.exec(text) ?? []
  if (place === undefined || !URL.canParse(text)) return undefined
  const isRooted = path.startsWith('/') || !place.includes('//')
  return `${place.toLowerCase()}${isRooted ? path : `/${path}`}`
}
