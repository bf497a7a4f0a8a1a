/**
 * The domain that a person means by what they typed: the one of an address or of a link too, other scripts as `xn--`. A text
 * that is none stays, for the service to refuse.
 */
export const domainOf = (typed: string): string => {
  const text = typed.trim()
  const host = text.slice(text.lastIndexOf('@') + 1).replace(/^https?:\/\//i, '')
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? text
}
