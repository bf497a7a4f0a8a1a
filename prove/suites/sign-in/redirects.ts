import { refuteNothing } from '../../attack.ts'
import { formOf, newRequest, openBrowser, type Redirection } from '../../../lab/browser.ts'
import type { Prove } from '../../suite.ts'
import { authorize, firstUrl, newApplication, newPerson, redirectUri, type Stage } from './stage.ts'

const encoded = (text: string, at: number): string =>
  `${text.slice(0, at)}%${text.charCodeAt(at).toString(16)}${text.slice(at + 1)}`

/** Texts that a careless comparison could take for the registered address. */
export const similarTo = (own: string): string[] => {
  const { protocol, host, pathname } = new URL(own)
  const characters = Array.from(own, (_, at) => at)
  return [
    ...characters.map((at) => encoded(own, at)),
    ...characters.map((at) => own.slice(0, at) + own.slice(at + 1)),
    ...characters.flatMap((at) => {
      const [letter = ''] = own.slice(at)
      return letter === letter.toUpperCase()
        ? []
        : [own.slice(0, at) + letter.toUpperCase() + own.slice(at + 1)]
    }),
    ...[
      '/',
      '/more',
      '?next=https://evil.example',
      '#x',
      '%2f..',
      '/../evil',
      ' ',
      '\t',
      '%00',
      '.',
      ';x',
    ].map((end) => own + end),
    ...['.evil.example', ':8443', '@evil.example', '\\@evil.example', '%40evil.example', '.', '%2eevil'].map(
      (end) => `${protocol}//${host}${end}${pathname}`,
    ),
    `${protocol}//evil.example@${host}${pathname}`,
    `${protocol}//evil.example\\.${host}${pathname}`,
    `${protocol}//sub.${host}${pathname}`,
    `${protocol}//${host}//evil.example${pathname}`,
    `${protocol}//${host}/x/..${pathname}`,
    `//${host}${pathname}`,
    pathname,
    'javascript:alert(1)',
    'https://evil.example/callback',
  ]
}

/** The breach of an answer that redirects, or repeats the address. */
const breachOf = (what: string, { status, location, text }: Redirection): string[] =>
  status === 400 && location === '' && !text.includes('evil') ? [] : [`${what}: ${status} ${location}`]

/** Every address is tried by a browser with a sign-in: a code would leave at once. */
const proveAddresses = async (stage: Stage): Promise<string> => {
  const [url, person] = [firstUrl(stage), await newPerson(stage)]
  const web = await newApplication(stage.root)
  const loopback = 'http://127.0.0.1/cb'
  const native = await newApplication(stage.root, { kind: 'native', redirect_uris: [loopback] })
  const browser = openBrowser(url)
  const location = await authorize(browser, person, newRequest(web.clientId, redirectUri).params)
  if (!location.startsWith(`${redirectUri}?`)) throw new Error(`the own address gets ${location}`)
  const breaches: string[] = []
  let tried = 0
  const attack = async (what: string, query: string): Promise<void> => {
    tried += 1
    breaches.push(...breachOf(what, await browser.authorize(query)))
  }
  for (const [own, { clientId }] of [
    [redirectUri, web],
    [loopback, native],
  ] as const) {
    const { params } = newRequest(clientId, own)
    // A native application has any port at loopback (RFC 8252, 7.3).
    const all = similarTo(own).filter((address) => !/^http:\/\/127\.0\.0\.1:\d+\/cb$/.test(address))
    for (const address of new Set(all)) {
      await attack(address, formOf({ ...params, redirect_uri: address }))
      // An error of the request must not redirect there either.
      await attack(
        address,
        formOf({ ...params, redirect_uri: address, response_type: 'token', prompt: 'none' }),
      )
    }
    const evil = `redirect_uri=${encodeURIComponent('https://evil.example')}`
    for (const query of [`${formOf(params)}&${evil}`, `${evil}&${formOf(params)}`]) await attack('two', query)
    await attack('none', formOf({ ...params, redirect_uri: undefined }))
  }
  refuteNothing(breaches)
  return `${tried} addresses beside the registered ones: each an error page that repeats nothing`
}

export const proveRedirects = (stage: Stage, prove: Prove): Promise<void> =>
  prove('an authorization leads to no address but a registered one', () => proveAddresses(stage))
