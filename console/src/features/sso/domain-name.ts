/**
 * The domain in a typed text, which can also be an e-mail address or a link. Other scripts become `xn--`. A text
 * without a domain stays unchanged; the service then refuses it.
 */
export const domainOf = (typed: string): string => {
  const text = typed.trim()
  const host = text.slice(text.lastIndexOf('@') + 1).replace(/^https?:\/\//i, '')
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? text
}
