/** Pages that need no console: errors that must not reach an application, and a form that posts an answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { builtInLanguageFor, languageOf as languagesOf, type Language } from '../mail/language.ts'
import { defaultHeaders } from './headers.ts'
import { escaped, hashOf } from './markup.ts'

/** A form that a browser posts to another site. */
interface PostForm {
  address: string
  fields: Record<string, string>
}

/** The look of the sign-in pages (console/src/hosted/hosted.css). */
const style =
  ':root{color-scheme:light dark;font:16px/1.55 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,Helvetica,Arial,' +
  '"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}' +
  'body{display:flex;align-items:center;justify-content:center;box-sizing:border-box;min-height:100vh;margin:0;' +
  'padding:1.5rem 1rem;background:light-dark(#f4f5f7,#1a1b1e);color:light-dark(#1a1b1e,#d5d7e0)}' +
  'main{box-sizing:border-box;width:100%;max-width:26rem;padding:2rem;border-radius:.75rem;' +
  'border:1px solid light-dark(#dee2e6,#3b3b3b);background:light-dark(#fff,#242424);box-shadow:0 1px 3px rgb(0 0 0/8%)}' +
  'h1{margin:0;font-size:1.375rem;font-weight:600;line-height:1.3}p{margin:1rem 0 0}h1+p{margin-top:.75rem}' +
  'a,button{display:block;padding:.625rem 1rem;border:1px solid light-dark(#8a929a,#6b7075);border-radius:.5rem;' +
  'background:none;color:inherit;font:inherit;font-weight:500;text-align:center;text-decoration:none}' +
  'button{width:100%;margin-top:1rem}a:hover,button:hover{background:light-dark(#f1f3f5,#2e2e2e)}' +
  '.brand{display:flex;align-items:center;gap:.75rem;min-height:2.5rem;margin:0 0 1.25rem;font-weight:600}' +
  '.brand picture{display:flex}.brand img{max-width:10rem;max-height:2.5rem;border-radius:.25rem}' +
  '.code{color:light-dark(#565e66,#a6a7ab);font-size:.875rem}'

/** Tenantry's own, for an installation without a product (console/src/icon.svg). */
const ownLogo =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 32 32">' +
      '<rect width="32" height="32" rx="8" fill="#3b5bdb"/>' +
      '<path d="M8 10h16v3.4h-6.2V23h-3.6v-9.6H8z" fill="#fff"/></svg>',
  )

const policyWith = (more: string): string =>
  `default-src 'none'; style-src ${hashOf(style)}; ${more}; base-uri 'none'; frame-ancestors 'none'`

/** The policy of a page without scripts and forms. */
const plainPolicy = policyWith("img-src data:; form-action 'none'")

interface Text {
  title: string
  /** Lines of HTML. */
  lines: string[]
}

const html = 'text/html; charset=utf-8'

interface Around {
  before?: string
  after?: string
}

const documentOf = (language: string, { title, lines }: Text, { before = '', after = '' }: Around): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title}</title><style>${style}</style></head><body><main>${before}<h1>${title}</h1>` +
  `${lines.map((line) => `<p>${line}</p>`).join('')}${after}</main></body></html>`

const languageOf = ({ request }: FastifyReply): Language =>
  builtInLanguageFor(languagesOf(request.ctx.origin.acceptLanguage) ?? '')

/** The product that the pages show in place of Tenantry. "" for none. */
interface Brand {
  product: string
  logo: string
  logo_dark: string
}

/** The logo of the product has nothing behind it, so a dark page takes another. */
const brandLine = ({ product, logo, logo_dark: dark }: Brand): string => {
  const source = dark && `<source media="(prefers-color-scheme:dark)" srcset="${escaped(dark)}">`
  const image = logo || (product === '' ? ownLogo : '')
  const picture = image && `<picture>${source}<img src="${escaped(image)}" alt=""></picture>`
  return `<p class="brand">${picture}<bdi>${escaped(product || 'Tenantry')}</bdi></p>`
}

interface Answer {
  status: number
  /** Names the fault for the developer of the application. */
  code?: string
}

const codeNames: Record<Language, string> = { en: 'Error code: ', zh: '错误代码：' }

const codeLine = (language: Language, code: string): string =>
  `<p class="code">${codeNames[language]}<code>${code}</code></p>`

const advice = {
  en: 'Go back to the application and try again. If that doesn’t help, tell its operator.',
  zh: '请返回应用重试。如果仍然无效，请告知其运营者。',
}

/** Why a sign-in cannot begin, by the code that the page shows. */
const unbegun = {
  invalid_request: {
    en: 'The application that sent you here left out its client ID or its redirect URL.',
    zh: '将您引导至此的应用缺少客户端 ID 或重定向地址。',
  },
  invalid_client: {
    en: 'The application that sent you here isn’t registered, or is disabled.',
    zh: '将您引导至此的应用未注册或已停用。',
  },
  invalid_redirect_uri: {
    en: 'The application that sent you here used a redirect URL that isn’t registered.',
    zh: '将您引导至此的应用使用了未注册的重定向地址。',
  },
}

type AuthorizationFault = keyof typeof unbegun

const faults = {
  logout: {
    en: {
      title: 'You can’t be signed out',
      lines: [
        'The application that sent you here isn’t registered, or used a return URL that isn’t registered.',
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
      title: 'This sign-in has expired',
      lines: [
        'It was already finished, took longer than ten minutes, or started in another browser.',
        advice.en,
      ],
    },
    zh: { title: '此登录已结束', lines: ['它已被使用、超过十分钟，或在另一个浏览器中开始。', advice.zh] },
  },
} satisfies Record<string, Record<Language, Text>>

const refusals = {
  connection: {
    en: (number: number) => [
      `Your organization’s provider signed you in, but you weren’t let in here. Reason ${number}.`,
      'Tell your administrator this number. The details are on the Attempts tab of the connection.',
    ],
    zh: (number: number) => [
      `您组织的登录被拒绝。原因编号 ${number}。`,
      '请将此编号告知您的管理员：连接的登录尝试中有详细信息。',
    ],
  },
  provider: {
    en: (number: number) => [
      `You couldn’t be signed in with this provider. Reason ${number}.`,
      'Choose another way to sign in. If none works, tell the operator of this service the number.',
    ],
    zh: (number: number) => [
      `通过该第三方账户的登录被拒绝。原因编号 ${number}。`,
      '请选择其他登录方式。如果都无效，请将此编号告知本服务的运营者。',
    ],
  },
}

const testTexts = (number: number | undefined): Record<Language, Text> => ({
  en: {
    title: 'Test of the connection',
    lines:
      number === undefined
        ? [
            'The test passed. No one was signed in.',
            'Close this tab. The page that started the test shows what would happen.',
          ]
        : [
            `The test failed. Reason ${number}.`,
            'Close this tab. The page that started the test says why, and what to do.',
          ],
  },
  zh: {
    title: '连接测试',
    lines:
      number === undefined
        ? ['测试通过。没有人被登录。', '请关闭此标签页。开始测试的页面会显示将发生什么。']
        : [`测试失败。原因编号 ${number}。`, '请关闭此标签页。开始测试的页面会说明原因和处理方法。'],
  },
})

/** A stranger sees only the number of the reason. */
interface Refusal {
  number: number
  /** The interaction, where the person can choose another sign-in method. */
  path: string
}

const unbegunTexts = (code: AuthorizationFault): Record<Language, Text> => ({
  en: { title: 'This sign-in can’t start', lines: [unbegun[code].en, advice.en] },
  zh: { title: '无法开始登录', lines: [unbegun[code].zh, advice.zh] },
})

const refusalTexts = (by: keyof typeof refusals, { number, path }: Refusal): Record<Language, Text> => ({
  en: {
    title: 'You weren’t signed in',
    lines: [...refusals[by].en(number), `<a href="${path}">Back to the sign-in</a>`],
  },
  zh: { title: '您未能登录', lines: [...refusals[by].zh(number), `<a href="${path}">返回登录</a>`] },
})

const unknownTexts: Record<Language, Text> = {
  en: {
    title: 'Page not found',
    lines: ['There is no page at this URL.', '<a href="/">Go to the start page</a>'],
  },
  zh: { title: '页面不存在', lines: ['此地址没有页面。', '<a href="/">前往首页</a>'] },
}

/** True if a person opens the address in a browser: no program sends these headers. */
export const isVisit = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'

/** The page of an unknown path. It needs no database, and works before the request has a context. */
export const sendUnknownPage = ({ headers, id }: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const language = builtInLanguageFor(languagesOf(headers['accept-language']) ?? '')
  const page = documentOf(language, unknownTexts[language], {})
  const own = { 'x-trace-id': id, 'content-security-policy': plainPolicy }
  return reply
    .code(404)
    .headers({ ...defaultHeaders, ...own })
    .type(html)
    .send(page)
}

/** The service reads 16 KiB of a request's line and headers. This length leaves room for cookies. */
const queryLengthMax = 14_000

const queryOf = (body: unknown): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, string | string[]>)) {
    for (const one of [value].flat()) query.append(name, one)
  }
  return query.toString()
}

/** Pages in the brand of the product. They repeat nothing from the request, because a stranger may have written it. */
export const createAnswerPages = (readBrand: (ctx: Ctx) => Promise<Brand>) => {
  const send = async (
    reply: FastifyReply,
    texts: Record<Language, Text>,
    { status, code }: Answer,
  ): Promise<FastifyReply> => {
    const language = languageOf(reply)
    const page = documentOf(language, texts[language], {
      before: brandLine(await readBrand(reply.request.ctx)),
      after: code === undefined ? '' : codeLine(language, code),
    })
    return reply.code(status).type(html).header('content-security-policy', plainPolicy).send(page)
  }
  const sendFault = (reply: FastifyReply, where: keyof typeof faults) =>
    send(reply, faults[where], { status: 400 })
  const sendUnbegun = (reply: FastifyReply, code: AuthorizationFault) =>
    send(reply, unbegunTexts(code), { status: 400, code })
  return {
    sendFault,
    sendUnbegun,
    /** The page of a refused sign-in. */
    sendRefusal: (reply: FastifyReply, by: keyof typeof refusals, refusal: Refusal) =>
      send(reply, refusalTexts(by, refusal), { status: 403 }),
    /** The result of a connection's test. `number` is the reason of a refusal. */
    sendTest: (reply: FastifyReply, number: number | undefined) =>
      send(reply, testTexts(number), { status: 200 }),
    /**
     * Redirects the browser to the same request as a GET, because a cross-site POST carries no cookie. A query beyond
     * the service's limit gets the page of a fault.
     */
    sendAsGet: async (reply: FastifyReply, where: 'authorize' | 'logout', body: unknown) => {
      const query = queryOf(body)
      if (query.length <= queryLengthMax) return reply.redirect(`/oauth2/${where}?${query}`, 303)
      return where === 'logout' ? sendFault(reply, where) : sendUnbegun(reply, 'invalid_request')
    },
  }
}

export type AnswerPages = ReturnType<typeof createAnswerPages>

const submitting = 'document.forms[0].submit()'
const formPolicy = policyWith(`script-src ${hashOf(submitting)}`)

const formPages = {
  application: {
    en: { title: 'Returning to the application', button: 'Continue' },
    zh: { title: '正在返回应用', button: '继续' },
  },
  provider: {
    en: { title: 'Opening your organization’s sign-in', button: 'Continue' },
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
    .send(documentOf(language, { title, lines: [] }, { after: body }))
}
