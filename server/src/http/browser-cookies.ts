/** The two cookies of a browser: the sign-in of a person, and the name of the browser itself. */
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

interface BrowserCookies {
  signIn: string | undefined
  /** Interactions are bound to it. It names no person. */
  browser: string | undefined
}

/** Plain HTTP is for the own machine: there a browser refuses the prefix. */
const isSecure = ({ publicUrl, isProduction }: Config): boolean =>
  isProduction || publicUrl.startsWith('https:')

const names = { signIn: 'tenantry-sign-in', browser: 'tenantry-browser' }

const nameOf = (config: Config, cookie: keyof BrowserCookies): string =>
  isSecure(config) ? `__Host-${names[cookie]}` : names[cookie]

export const cookiesOf = ({ cookies, ctx: { parts } }: FastifyRequest): BrowserCookies => ({
  signIn: cookies[nameOf(parts.config, 'signIn')],
  browser: cookies[nameOf(parts.config, 'browser')],
})

const daySeconds = 24 * 3600
/** A sign-in ends at most 30 days after its proofs. Browsers bound every cookie to 400 days. */
const seconds = { signIn: 30 * daySeconds, browser: 400 * daySeconds }

const attributesOf = (config: Config): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: isSecure(config),
})

export const setBrowserCookie = (
  { ctx: { parts } }: FastifyRequest,
  reply: FastifyReply,
  cookie: keyof BrowserCookies,
  value: string,
): void => {
  const { config } = parts
  reply.setCookie(nameOf(config, cookie), value, { ...attributesOf(config), maxAge: seconds[cookie] })
}

/** The sign-in has ended. */
export const clearSignInCookie = ({ ctx: { parts } }: FastifyRequest, reply: FastifyReply): void =>
  void reply.clearCookie(nameOf(parts.config, 'signIn'), attributesOf(parts.config))
