/** The OpenID Connect issuers that a single tenant can trust. */
import { invalid } from '../../../errors/app-error.ts'

/** Public issuers: any person can get an account there, with an address of the person's choice. */
const strangers = [
  'https://access.line.me',
  'https://account.apple.com',
  'https://appleid.apple.com',
  'https://auth.atlassian.com',
  'https://facebook.com',
  'https://github.com',
  'https://gitlab.com',
  'https://id.twitch.tv',
  'https://kauth.kakao.com',
  'https://limited.facebook.com',
  'https://login.live.com',
  'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad',
  'https://login.salesforce.com',
  'https://login.yahoo.co.jp',
  'https://login.yahoo.com',
  'https://oauth.telegram.org',
  'https://openid.paypal.com',
  'https://orcid.org',
  'https://slack.com',
  'https://token.actions.githubusercontent.com',
  'https://www.facebook.com',
  'https://www.linkedin.com',
  'https://www.paypal.com',
]

const isOf = (issuer: string, origin: string): boolean => issuer === origin || issuer.startsWith(`${origin}/`)

/** Path segments that mean any organization of Entra ID. */
const placeholders = /^\/(?:common|organizations|consumers|\{tenantid\}|%7btenantid%7d)(?:\/|$)/i

/** Throws 400 for an issuer that no tenant can trust. */
export const requireIssuer = (issuer: string, hasAllowedScheme: (url: URL) => boolean): void => {
  const url = URL.parse(issuer)
  if (!url || !hasAllowedScheme(url)) throw invalid('issuer', 'must be an address with https')
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw invalid('issuer', 'must not contain user, password, query or fragment')
  }
  if (placeholders.test(url.pathname)) {
    throw invalid('issuer', 'stands for any organization: use the address with the id of yours')
  }
  const plain = `${url.origin}${url.pathname}`.toLowerCase()
  if (strangers.some((one) => isOf(plain, one))) {
    throw invalid('issuer', 'serves strangers, so it cannot vouch for your people', 'issuerShared')
  }
}
