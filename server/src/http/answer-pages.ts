/** The two pages that need no console: an error that must not reach an application, and a form that posts an answer. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** An answer that a form posts to the application. */
interface Posted {
  redirectUri: string
  params: Record<string, string>
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const html = 'text/html; charset=utf-8'

const faults = {
  authorize: {
    title: 'This sign-in cannot begin',
    text: 'The application that sent you here is unknown, or asked to be answered at an address that is not its own.',
  },
  logout: {
    title: 'You cannot be signed out so',
    text: 'The application that sent you here is unknown, or wants you back at an address that is not its own.',
  },
  sso: {
    title: 'This sign-in is over',
    text: 'It was used already, took more than ten minutes, or began in another browser.',
  },
}

/** Repeats nothing of the request: a stranger may have written it. */
export const sendErrorPage = (reply: FastifyReply, where: keyof typeof faults): FastifyReply => {
  const { title, text } = faults[where]
  const advice = 'Go back to the application and try again. If that does not help, tell its operator.'
  return reply
    .code(400)
    .type(html)
    .send(page(title, `<p>${text}</p><p>${advice}</p>`))
}

/** A sign-in that is refused. A stranger learns the number of the reason, and nothing else. */
export const sendRefusalPage = (reply: FastifyReply, number: number): FastifyReply =>
  reply
    .code(403)
    .type(html)
    .send(
      page(
        'You were not signed in',
        `<p>Your organization’s sign-in was refused. Reason ${number}.</p>` +
          '<p>Tell your administrator this number. The details stand among the attempts of the connection.</p>',
      ),
    )

/** The end of a test: `number` is that of a refusal. */
export const sendTestPage = (reply: FastifyReply, number: number | undefined): FastifyReply => {
  const text =
    number === undefined
      ? '<p>The test passed. Nobody was signed in.</p><p>Close this tab. The console shows what would happen.</p>'
      : `<p>The test failed. Reason ${number}.</p><p>Close this tab. The console says why, and what to do.</p>`
  return reply.type(html).send(page('Test of the connection', text))
}

/** Sends the browser to the same request as a GET: a POST of another page carries no cookie of ours. */
export const sendAsGet = (reply: FastifyReply, path: string, body: unknown): FastifyReply => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, string | string[]>)) {
    for (const one of [value].flat()) query.append(name, one)
  }
  return reply.redirect(`${path}?${query.toString()}`, 303)
}

/** Posts the answer to the application (OAuth 2.0 Form Post Response Mode). */
export const sendForm = (reply: FastifyReply, { redirectUri, params }: Posted): FastifyReply => {
  const nonce = randomBytes(16).toString('base64')
  const fields = Object.entries(params).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`
  const body =
    `<form method="post" action="${escaped(redirectUri)}">${fields.join('')}<button>Continue</button></form>` +
    `<script nonce="${nonce}">document.forms[0].submit()</script>`
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    .type(html)
    .send(page('Going back to the application', body))
}
