/** Pages that need no console: errors that must not reach an application, and a form that posts an answer. */
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { builtInLanguageFor, type Language } from '../mail/language.ts'

/** A form that a browser posts to another site. */
interface PostForm {
  address: string
  fields: Record<string, string>
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)

const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}' +
  'main{max-width:32rem;margin:15vh auto;padding:0 1.25rem}h1{font-size:1.375rem}'

/** Permits the page's own style and script by their hashes (CSP Level 3, 8.3). */
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policyWith = (more: string): string =>
  `default-src 'none'; style-src ${hashOf(style)}; ${more}; base-uri 'none'; frame-ancestors 'none'`

/** The policy of a page without scripts and forms. */
const plainPolicy = policyWith("form-action 'none'")

interface Text {
  title: string
  /** Lines of HTML. */
  lines: string[]
}

const html = 'text/html; charset=utf-8'

const documentOf = (language: string, { title, lines }: Text, more = ''): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>` +
  `${lines.map((line) => `<p>${line}</p>`).join('')}${more}</main></body></html>`

const languageOf = ({ request }: FastifyReply): Language =>
  builtInLanguageFor(request.ctx.origin.language ?? '')

const sendPage = (reply: FastifyReply, code: number, texts: Record<Language, Text>): FastifyReply => {
  const language = languageOf(reply)
  return reply
    .code(code)
    .type(html)
    .header('content-security-policy', plainPolicy)
    .send(documentOf(language, texts[language]))
}

const advice = {
  en: 'Go back to the application and try again. If that does not help, tell its operator.',
  zh: '请返回应用重试。如果仍然无效，请告知其运营者。',
}

const faults = {
  authorize: {
    en: {
      title: 'This sign-in cannot begin',
      lines: [
        'The application that sent you here is unknown, or asked to be answered at an address that is not its own.',
        advice.en,
      ],
    },
    zh: {
      title: '无法开始登录',
      lines: ['将您引导至此的应用未知，或要求在不属于它的地址接收答复。', advice.zh],
    },
  },
  logout: {
    en: {
      title: 'You cannot be signed out so',
      lines: [
        'The application that sent you here is unknown, or wants you back at an address that is not its own.',
        advice.en,
      ],
    },
    zh: {
      title: '无法这样退出登录',
      lines: ['将您引导至此的应用未知，或要求返回不属于它的地址。', advice.zh],
    },
  },
  sso: {
    en: {
      title: 'This sign-in is over',
      lines: ['It was used already, took more than ten minutes, or began in another browser.', advice.en],
    },
    zh: { title: '此登录已结束', lines: ['它已被使用、超过十分钟，或在另一个浏览器中开始。', advice.zh] },
  },
} satisfies Record<string, Record<Language, Text>>

/** Repeats nothing from the request, because a stranger may have written it. */
export const sendErrorPage = (reply: FastifyReply, where: keyof typeof faults): FastifyReply =>
  sendPage(reply, 400, faults[where])

/**
 * The page of a refused sign-in. A stranger sees only the number of the reason. `path` is the interaction, where the
 * person can choose another sign-in method.
 */
export const sendRefusalPage = (reply: FastifyReply, number: number, path: string): FastifyReply =>
  sendPage(reply, 403, {
    en: {
      title: 'You were not signed in',
      lines: [
        `Your organization’s sign-in was refused. Reason ${number}.`,
        'Tell your administrator this number: the attempts of the connection have the details.',
        `<a href="${path}">Back to the sign-in</a>`,
      ],
    },
    zh: {
      title: '您未能登录',
      lines: [
        `您组织的登录被拒绝。原因编号 ${number}。`,
        '请将此编号告知您的管理员：连接的登录尝试中有详细信息。',
        `<a href="${path}">返回登录</a>`,
      ],
    },
  })

/** The result of a connection's test. `number` is the reason of a refusal. */
export const sendTestPage = (reply: FastifyReply, number: number | undefined): FastifyReply =>
  sendPage(reply, 200, {
    en: {
      title: 'Test of the connection',
      lines:
        number === undefined
          ? ['The test passed. Nobody was signed in.', 'Close this tab. The console shows what would happen.']
          : [`The test failed. Reason ${number}.`, 'Close this tab. The console says why, and what to do.'],
    },
    zh: {
      title: '连接测试',
      lines:
        number === undefined
          ? ['测试通过。没有人被登录。', '请关闭此标签页。控制台会显示将发生什么。']
          : [`测试失败。原因编号 ${number}。`, '请关闭此标签页。控制台会说明原因和处理方法。'],
    },
  })

/** The service reads 16 KiB of a request's line and headers. This length leaves room for cookies. */
const queryLengthMax = 14_000

/**
 * Redirects the browser to the same request as a GET, because a cross-site POST carries no cookie. A query beyond the
 * service's limit gets the error page.
 */
export const sendAsGet = (
  reply: FastifyReply,
  where: 'authorize' | 'logout',
  body: unknown,
): FastifyReply => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, string | string[]>)) {
    for (const one of [value].flat()) query.append(name, one)
  }
  const text = query.toString()
  return text.length > queryLengthMax
    ? sendErrorPage(reply, where)
    : reply.redirect(`/oauth2/${where}?${text}`, 303)
}

const submitting = 'document.forms[0].submit()'
const formPolicy = policyWith(`script-src ${hashOf(submitting)}`)

const formPages = {
  application: {
    en: { title: 'Going back to the application', button: 'Continue' },
    zh: { title: '正在返回应用', button: '继续' },
  },
  provider: {
    en: { title: 'Going to the sign-in of your organization', button: 'Continue' },
    zh: { title: '正在前往您组织的登录页面', button: '继续' },
  },
} satisfies Record<string, Record<Language, { title: string; button: string }>>

/** Posts fields to another site, as OAuth 2.0 Form Post Response Mode and the POST binding of SAML require. */
export const sendForm = (
  reply: FastifyReply,
  where: keyof typeof formPages,
  { address, fields }: PostForm,
): FastifyReply => {
  const language = languageOf(reply)
  const { title, button } = formPages[where][language]
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const body =
    `<form method="post" action="${escaped(address)}">${inputs.join('')}<button>${button}</button></form>` +
    `<script>${submitting}</script>`
  return reply
    .headers({ 'content-security-policy': formPolicy, 'cache-control': 'no-store' })
    .type(html)
    .send(documentOf(language, { title, lines: [] }, body))
}
