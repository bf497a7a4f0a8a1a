/** The allowed forms of addresses that applications register (docs/contract.md, "Applications"; decision 0191). */

/** Path and query (RFC 3986) without `*`, because addresses are not patterns. */
const rest = String.raw`(?:[A-Za-z0-9._~!$&'()+,;=:@/?-]|%[0-9A-Fa-f]{2})*`
const host = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]`
const webAddress = new RegExp(String.raw`^(https?)://(${host})(?::\d{1,5})?(?:[/?]${rest})?$`)
/** Schemes that browsers and systems handle themselves, or open in their own programs. */
const opened =
  'about|blob|chrome|chrome-extension|content|data|edge|facetime|feed|file|filesystem|ftps?|https?|intent|irc|itms[a-z-]*|' +
  'jar|javascript|ldaps?|mailto|maps|moz-extension|ms-[a-z-]+|news|nntp|resource|search-ms|sftp|shell|sips?|sms|ssh|tel|' +
  'telnet|vbscript|view-source|vnc|webcal|wss?|x-apple[a-z.-]*'
const privateAddress = new RegExp(
  String.raw`^(?!(?:${opened}):)[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)*:/(?!.*@)${rest}$`,
)

/** Only programs of the same machine answer at these hosts. */
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** Scheme and host of a web address. Undefined for any other text. */
const readWebAddress = (text: string): { scheme: string; name: string } | undefined => {
  const [, scheme = '', name = ''] = webAddress.exec(text) ?? []
  // Browsers convert some names to another host, such as 0x7f.1.
  const isOneHost = scheme !== '' && URL.parse(text)?.hostname === name.toLowerCase()
  return isOneHost ? { scheme, name } : undefined
}

/**
 * Whether a text is an `https` address, or an `http` address of the same machine. It has no fragment, user or pattern.
 */
const isWebAddress = (text: string): boolean => {
  const found = readWebAddress(text)
  return found !== undefined && (found.scheme === 'https' || loopbackHosts.includes(found.name))
}

/** Whether an application of a kind may register a redirect address. */
export const isReturnAddress = (kind: 'web' | 'browser' | 'native', text: string): boolean =>
  isWebAddress(text) || (kind === 'native' && privateAddress.test(text))

/**
 * Whether a text is a client id that is the address of a metadata document: `https` with a path, in normalised form.
 */
export const isDocumentAddress = (text: string): boolean => {
  const url = readWebAddress(text)?.scheme === 'https' ? URL.parse(text) : null
  return url !== null && url.pathname !== '/' && url.href === text
}

/** Whether a text is an origin of web pages, in the form of browsers. */
export const isOrigin = (text: string): boolean => isWebAddress(text) && URL.parse(text)?.origin === text

const fragment = new RegExp(`#${rest}$`)

/** Whether a text is a web address, possibly with a fragment. */
export const isPageAddress = (text: string): boolean => isWebAddress(text.replace(fragment, ''))

/** Whether logout tokens can be sent to an address. As for webhooks, `http` is allowed outside production. */
export const isReceiver = (text: string, mayBePlain: boolean): boolean => {
  const found = readWebAddress(text)
  return found !== undefined && (found.scheme === 'https' || mayBePlain)
}

const located = new RegExp(
  String.raw`^([A-Za-z][A-Za-z0-9+.-]*://(?:${host})(?::\d{1,5})?)((?:[/?]${rest})?)$`,
)
const named = new RegExp(String.raw`^(?!https?:)([A-Za-z][A-Za-z0-9+.-]*:)((?!//|$)${rest})$`, 'i')

/**
 * The form in which identifiers of resources are compared: scheme and host in lower case, "/" for an empty path.
 * Undefined unless the text is an absolute URI without fragment and user.
 */
export const foldIdentifier = (text: string): string | undefined => {
  const [, schemeAndHost, path = ''] = located.exec(text) ?? named.exec(text) ?? []
  if (schemeAndHost === undefined || !URL.canParse(text)) return undefined
  const isRooted = path.startsWith('/') || !schemeAndHost.includes('//')
  return `${schemeAndHost.toLowerCase()}${isRooted ? path : `/${path}`}`
}
