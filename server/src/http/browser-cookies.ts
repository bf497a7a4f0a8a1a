/** The cookies of a browser: a person's sign-in, the browser's own id, and the console's session. */
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { refreshTokenSeconds } from '../crypto/keys.ts'

interface BrowserCookies {
  signIn: string | undefined
  /** The browser's own id, to which interactions belong. It names no person. */
  browser: string | undefined
  /** The refresh token of the console. */
  console: string | undefined
}

/** Plain HTTP is only for a developer's machine. Without TLS a browser refuses the prefix `__Host-`. */
const isSecure = ({ publicUrl, isProduction }: Config): boolean =>
  isProduction || publicUrl.startsWith('https:')

const names = { signIn: 'tenantry-sign-in', browser: 'tenantry-browser', console: 'tenantry-console' }

const nameOf = (config: Config, cookie: keyof BrowserCookies): string =>
  isSecure(config) ? `__Host-${names[cookie]}` : names[cookie]

export const cookiesOf = ({ cookies, ctx: { parts } }: FastifyRequest): BrowserCookies => ({
  signIn: cookies[nameOf(parts.config, 'signIn')],
  browser: cookies[nameOf(parts.config, 'browser')],
  console: cookies[nameOf(parts.config, 'console')],
})

const daySeconds = 24 * 3600
/**
 * The lifetimes of the cookies. A sign-in ends at most 30 days after its proofs. Browsers limit every cookie to 400
 * days.
 */
const seconds = { signIn: 30 * daySeconds, browser: 400 * daySeconds, console: refreshTokenSeconds }
/**
 * A sign-in can begin at a link of another site, so its cookies are `lax`. The console's session needs no such link.
 */
const sites = { signIn: 'lax', browser: 'lax', console: 'strict' } as const

const attributesOf = (config: Config, cookie: keyof BrowserCookies): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: sites[cookie],
  secure: isSecure(config),
})

export const setBrowserCookie = (
  { ctx: { parts } }: FastifyRequest,
  reply: FastifyReply,
  cookie: keyof BrowserCookies,
  value: string,
): void => {
  const { config } = parts
  reply.setCookie(nameOf(config, cookie), value, { ...attributesOf(config, cookie), maxAge: seconds[cookie] })
}

export const clearSignInCookie = ({ ctx: { parts } }: FastifyRequest, reply: FastifyReply): void =>
  void reply.clearCookie(nameOf(parts.config, 'signIn'), attributesOf(parts.config, 'signIn'))
