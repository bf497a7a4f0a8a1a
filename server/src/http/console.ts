import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { App } from './app-type.ts'
import { pagePolicy } from './headers.ts'

/** Vite writes this placeholder for the nonce into index.html (`html.cspNonce` in console/vite.config.ts). */
const nonceMark = '{{nonce}}'

/** Mantine adds style elements at run time, with the page's nonce. No script of the page needs it (decision 0072). */
const policyWith = (nonce: string): string =>
  pagePolicy(`style-src 'self' 'nonce-${nonce}'`, "font-src 'self'")

const readMethods = ['GET', 'HEAD']
const schema = { hide: true }

/** Serves the same page for every console address. The console's router selects the view. */
const pageRoute = (scope: App, folder: string): void => {
  scope.route({
    method: readMethods,
    url: '/console/*',
    schema,
    handler: async (_request, reply) => {
      const page = await readFile(join(folder, 'index.html'), 'utf8')
      const nonce = randomBytes(16).toString('base64')
      return reply
        .headers({ 'content-security-policy': policyWith(nonce), 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(page.replaceAll(nonceMark, nonce))
    },
  })
}

/** The hosted pages: those on which people sign in, and those of the own account. */
const hostedPages = [
  { url: '/sign-in', file: 'sign-in.html' },
  { url: '/sign-in/*', file: 'sign-in.html' },
  { url: '/account', file: 'account.html' },
  { url: '/account/*', file: 'account.html' },
]

/** Caches must not store these pages, because their address can name an interaction. */
const hostedRoutes = (scope: App, folder: string): void => {
  for (const { url, file } of hostedPages) {
    scope.route({
      method: readMethods,
      url,
      schema,
      handler: async (_request, reply) => {
        const page = await readFile(join(folder, file), 'utf8')
        return reply
          .header('content-security-policy', pagePolicy("style-src 'self'"))
          .type('text/html; charset=utf-8')
          .send(page)
      },
    })
  }
}

/** Asset names contain a hash of the content, so that browsers may cache them forever. */
const assetRoutes = (scope: App, folder: string): void => {
  scope.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/console/assets/',
    index: false,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
  })
}

const redirect = (scope: App, url: string): void => {
  scope.route({
    method: readMethods,
    url,
    schema,
    handler: async (_request, reply) => reply.redirect('/console/'),
  })
}

/** The page on which people change their password and passkeys. */
const credentialsPage = '/account/sign-in'

/** The addresses by which password managers find that page. */
export const wellKnownPages = (scope: App, publicUrl: string): void => {
  const page = `${publicUrl}${credentialsPage}`
  scope.route({
    method: readMethods,
    url: '/.well-known/change-password',
    schema,
    handler: async (_request, reply) => reply.redirect(credentialsPage),
  })
  scope.route({
    method: readMethods,
    url: '/.well-known/passkey-endpoints',
    schema,
    handler: async () => ({ enroll: page, manage: page }),
  })
}

const hint =
  'The console is not built: run `npm run build -w console` in the folder of Tenantry, then start the service again'

/** Answers with a hint for building the missing console. The service runs without it. */
const hintRoute = (scope: App): void => {
  scope.log.warn(hint)
  for (const url of ['/console/*', ...hostedPages.map((page) => page.url)]) {
    scope.route({
      method: readMethods,
      url,
      schema,
      handler: async (_request, reply) =>
        reply.code(404).type('text/plain; charset=utf-8').send(`${hint}.\n`),
    })
  }
}

/**
 * Serves the web console at `/console/` and the hosted pages at `/sign-in` and `/account`, from the folder that `npm run
 * build -w console` writes. `/` redirects to the console.
 */
export const consoleRoutes = (scope: App, folder: string): void => {
  redirect(scope, '/')
  redirect(scope, '/console')
  if (!existsSync(join(folder, 'index.html'))) return hintRoute(scope)
  assetRoutes(scope, folder)
  pageRoute(scope, folder)
  hostedRoutes(scope, folder)
}
