import { describe, expect, test } from 'vitest'
import type { Brand } from './brand.ts'
import { deviceOf } from './device.ts'
import { mailKinds, type MailKind } from './kinds.ts'
import { builtInLanguageFor, languageOf, lookupOrder } from './language.ts'
import { render } from './render.ts'
import { texts, type MailText } from './texts.ts'
import type { Facts } from './values.ts'

const like =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const kinds = Object.keys(mailKinds) as MailKind[]
const hasLink = (kind: MailKind): boolean => 'page' in mailKinds[kind]
const link = 'https://t.example/console/x#token=abc'

interface Given {
  kind?: MailKind
  language?: string
  text?: MailText
  facts?: Partial<Facts>
  brand?: Brand
}

const rendered = ({ kind = 'reset', language = 'en', text, facts, brand = {} }: Given) =>
  render({
    kind,
    language,
    text: text ?? texts[builtInLanguageFor(language)][kind],
    facts: { at: '2026-01-31 09:30 UTC', ...facts },
    brand,
    link: hasLink(kind) ? link : undefined,
    publicUrl: 'https://t.example',
  })

describe('the languages of a person', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['*', undefined],
    ['not a language, _', undefined],
    ['en', 'en'],
    ['fr, de;q=0.5', 'fr,de'],
    ['zh-hans-cn', 'zh-Hans-CN'],
    ['fr, zh;q=0.3, en;q=0.2', 'fr,zh'],
    ['en;q=0.2, ZH;q=0.3', 'zh'],
    ['zh;q=0, en;q=0.1', 'en'],
    ['en;q=broken, zh;q=0.1', 'zh'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR,en'],
    ['aa,bb,cs,da,el,fi', 'aa,bb,cs,da,el'],
    [`${'fr,'.repeat(5000)}de`, 'fr'],
  ])('Accept-Language %j names %j', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })

  test.each([
    ['pt-BR', 'pt-BR pt en'],
    ['zh-Hant-TW', 'zh-Hant-TW zh-Hant zh en'],
    ['fr,zh', 'fr zh en'],
    ['en-GB', 'en-GB en'],
    ['', ' en'],
  ])('a text for %j is sought in %j', (languages, sought) => {
    expect(lookupOrder(languages).join(' ')).toBe(sought)
  })
})

describe('the words of an e-mail', () => {
  test.each([
    [like, 'Chrome', 'Windows'],
    [`${like} Edg/140.0`, 'Edge', 'Windows'],
    ['Mozilla/5.0 (Linux; Android 14) Gecko/140.0 Firefox/140.0', 'Firefox', 'Android'],
    ['node', '', ''],
  ])('the device of %j is %j on %j', (userAgent, browser, system) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system })
  })

  test('every kind is written in both languages, as text and as HTML without remote parts', () => {
    const facts = {
      browser: 'Firefox',
      system: 'Linux',
      factor: 'Phone',
      tenant: 'Acme',
      hook: 'x',
      reason: 'y',
    }
    for (const kind of kinds) {
      for (const language of ['en', 'zh'] as const) {
        const { subject, text, html } = rendered({ kind, language, facts })
        expect(/\p{Script=Han}/u.test(`${subject}${text}`)).toBe(language === 'zh')
        expect(html).not.toMatch(/<(?:img|link|script|iframe)|src=|url\(/)
        expect(html).toContain(`lang="${language}"`)
        for (const form of [text, html]) expect(form.includes('#token=abc')).toBe(hasLink(kind))
        expect(`${subject}${text}${html}`).not.toMatch(/\{\{|\}\}|undefined/)
      }
    }
  })

  test('another language has its words, and none of another one around them', () => {
    const text = { subject: 'Neues Passwort', button: 'Los', text: 'Hallo.\n\n{{link}}\n\nBis bald.' }
    const own = rendered({ language: 'de', text, brand: { product: 'Acme' } })
    expect(own.text).toBe(`Hallo.\n\n${link}\n\nBis bald.\n\n-- \nAcme\n`)
    expect(own.html).toContain('lang="de"')
    const device = { subject: 'Neu', text: 'Gerät: {{device}}' }
    const facts = { browser: 'Safari', system: 'iOS' }
    expect(rendered({ kind: 'new_device', language: 'de', text: device, facts }).text).toContain(
      'Gerät: Safari, iOS',
    )
  })

  const names: [why: string, name: string][] = [
    ['markup', '"><script>alert(1)</script><a href="https://evil.example">'],
    ['line breaks', 'Acme\r\nBcc: victim@example.com\n\nhttps://evil.example\u2028x'],
    ['an address', 'Pay at https://evil.example/now'],
    ['an address without a scheme', 'www.evil.example or evil.example or mail@evil.example'],
    ['another direction', 'Acme \u202Eelpmaxe.live//:sptth'],
    ['placeholders', '{{link}} {{product}} {{tenant}}'],
  ]

  test.each(names)('a name with %s becomes one line that is no link', (_why, name) => {
    for (const [kind, field] of [
      ['invitation', 'tenant'],
      ['factor_added', 'factor'],
      ['webhook_disabled', 'hook'],
    ] as const) {
      const { subject, text, html } = rendered({ kind, facts: { [field]: name } })
      const plain = rendered({ kind, facts: { [field]: 'x' } })
      expect(html).not.toContain('<script')
      expect(html.match(/<a /g)?.length).toBe(plain.html.match(/<a /g)?.length)
      expect(text.split('\n')).toHaveLength(plain.text.split('\n').length)
      expect(subject).not.toMatch(/[\r\n]/)
      for (const form of [subject, text, html]) {
        // Mail programs make links of addresses and hosts.
        expect(form.replaceAll(link, '')).not.toMatch(/:\/\/evil|www\.evil|evil\.example|@evil|@example/)
        expect(form).not.toMatch(/[\u202A-\u202E\u2028\u2029]/)
      }
      expect(text.match(/#token=/g)?.length).toBe(hasLink(kind) ? 1 : undefined)
    }
  })

  test('a name that reads like the link is a name', () => {
    const text = { subject: 'Hi', button: 'Go', text: '{{tenant}}\n\n{{link}}' }
    const mail = rendered({ kind: 'invitation', text, facts: { tenant: '{{link}}' } })
    expect(mail.text).toMatch(/^\{\{link\}\}\n\n/)
    expect(mail.html.match(/<a /g)).toHaveLength(1)
  })

  test('a name of any length leaves room for the rest', () => {
    const { subject, text } = rendered({ kind: 'invitation', facts: { tenant: '😀'.repeat(5000) } })
    expect([...subject].length).toBeLessThan(400)
    expect(text).toContain(link)
  })

  test('a text of the product is text: markup in it shows as it is', () => {
    const text = {
      subject: '<b>Hi</b>',
      button: '<i>Go</i>',
      text: '<img src=x onerror=1> & co\nsecond line\n\n{{link}}',
    }
    const { html } = rendered({ text })
    expect(html).toContain('&lt;img src=x onerror=1&gt; &amp; co<br>\nsecond line')
    expect(html).toContain('&lt;i&gt;Go&lt;/i&gt;')
    expect(html).not.toMatch(/<img|<b>|<i>/)
  })
})

describe('e-mails in the name of the product', () => {
  const logo = `data:image/png;base64,${Buffer.from('png').toString('base64')}`
  const brand: Brand = {
    product: 'Acme & Sons',
    from_name: 'Acme',
    color: '#ffee00',
    logo,
    support_url: 'https://acme.example/help?a=1&b=2',
    footer: 'Acme <Ltd>, 1 High Street',
  }

  test('every kind has its name, logo, colour, help and footer, and not the name of Tenantry', () => {
    for (const kind of kinds) {
      for (const language of ['en', 'zh']) {
        const mail = rendered({
          kind,
          language,
          brand,
          facts: { tenant: 'T', factor: 'F', hook: 'h', reason: 'r' },
        })
        expect(mail.fromName).toBe('Acme')
        expect(mail.logo).toEqual({ id: 'logo', type: 'image/png', content: Buffer.from('png') })
        expect(mail.html).toContain('<img src="cid:logo" alt="Acme &amp; Sons"')
        expect(mail.html).toContain('href="https://acme.example/help?a=1&amp;b=2"')
        expect(mail.html).toContain('Acme &lt;Ltd&gt;, 1 High Street')
        expect(mail.text).toContain('Acme <Ltd>, 1 High Street')
        expect(mail.text).toContain('https://acme.example/help?a=1&b=2')
        expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/Tenantry|t\.example(?!\/console)/)
        expect(mail.html.includes('background:#ffee00')).toBe(hasLink(kind))
      }
    }
  })

  test.each([
    ['#ffee00', '#000000'],
    ['#003366', '#ffffff'],
    ['', '#ffffff'],
  ])('the words on a button of the colour %j are %s', (color, ink) => {
    expect(rendered({ brand: { color } }).html).toContain(`;color:${ink}`)
  })
})
