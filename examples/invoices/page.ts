/** The page that signs people in, and the files that it loads. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

/** Where the page signs people in; the names are those of `oidc-client-ts`. */
export interface SignIn {
  authority: string
  client_id: string
}

const library = import.meta.resolve('oidc-client-ts')
const own = (name: string): URL => new URL(`page/${name}`, import.meta.url)

const files = {
  '/': { file: own('index.html'), type: 'text/html; charset=utf-8' },
  '/callback': { file: own('index.html'), type: 'text/html; charset=utf-8' },
  '/page.css': { file: own('page.css'), type: 'text/css' },
  '/page.js': { file: own('page.js'), type: 'text/javascript' },
  '/oidc-client-ts.js': {
    file: new URL('../browser/oidc-client-ts.min.js', library),
    type: 'text/javascript',
  },
}

/** The page holds tokens: it runs no script of another origin, and no other page frames it. */
const policyFor = ({ authority }: SignIn): string =>
  `default-src 'self'; img-src data:; connect-src 'self' ${authority}; base-uri 'none'; frame-ancestors 'none'`

/** Adds the routes of the page, which everybody may load. */
export const addPage = (app: FastifyInstance, signIn: SignIn): void => {
  for (const [path, { file, type }] of Object.entries(files)) {
    app.get(path, async (_request, reply) => {
      void reply.headers({
        'content-type': type,
        'content-security-policy': policyFor(signIn),
        'referrer-policy': 'no-referrer', // the address of the callback carries a code
      })
      return readFile(file)
    })
  }
  app.get('/config', async () => signIn)
}
