import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'
import { pagePolicy } from './headers.ts'

/** Where Vite leaves room for the nonce in index.html (`html.cspNonce` in console/vite.config.ts). */
const nonceMark = '{{nonce}}'

/**
 * Mantine writes some style elements as it runs: those carry the nonce of the page, which no script of it needs
 * (decision 0072).
 */
const policyWith = (nonce: string): string =>
  pagePolicy(`style-src 'self' 'nonce-${nonce}'`, "font-src 'self'")

const readMethods = ['GET', 'HEAD']
const schema = { hide: true }

/** The page for every address of the console: what to show there, it finds out itself. */
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

/** Files named by the hash of what is in them: what a browser has, it keeps. */
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

/** The service does without its console: only who asks for it is told. */
const hintRoute = (scope: App): void => {
  scope.route({
    method: readMethods,
    url: '/console/*',
    schema,
    handler: async () => {
      throw new AppError(
        'routeUnknown',
        'The console is not built: run `npm run build -w console`, then start the service again',
      )
    },
  })
}

/** The web console at `/console/`, from the folder that `npm run build -w console` writes; `/` leads to it. */
export const consoleRoutes = (scope: App, folder: string): void => {
  redirect(scope, '/')
  redirect(scope, '/console')
  if (!existsSync(join(folder, 'index.html'))) return hintRoute(scope)
  assetRoutes(scope, folder)
  pageRoute(scope, folder)
}
