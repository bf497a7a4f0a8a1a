import { describe, expect, test } from 'vitest'
import { deviceOf } from './device.ts'
import { languageOf } from './language.ts'
import { render } from './render.ts'
import { texts } from './texts.ts'

const like =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describe('the words of an e-mail', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['fr, de;q=0.5', undefined],
    ['*', undefined],
    ['en', 'en'],
    ['zh-Hans-CN', 'zh'],
    ['fr, zh;q=0.3, en;q=0.2', 'zh'],
    ['en;q=0.2, ZH;q=0.3', 'zh'],
    ['zh;q=0, en;q=0.1', 'en'],
    ['en;q=broken, zh;q=0.1', 'zh'],
  ])('Accept-Language %j asks for %j', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })

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
      at: '2026-01-31 09:30 UTC',
      browser: 'Firefox',
      system: 'Linux',
      factor: 'Phone',
      tenant: 'Acme',
    }
    for (const kind of Object.keys(texts.en) as (keyof typeof texts.en)[]) {
      for (const language of ['en', 'zh'] as const) {
        const link = texts.en[kind](facts).button && 'https://t.example/console/x#token=abc'
        const { subject, text, html } = render({
          kind,
          language,
          facts,
          link,
          publicUrl: 'https://t.example',
        })
        expect(/\p{Script=Han}/u.test(`${subject}${text}`)).toBe(language === 'zh')
        expect(html).not.toMatch(/<(?:img|link|script|iframe)|src=|url\(/)
        expect(html).toContain(`lang="${language}"`)
        for (const form of [text, html]) expect(form.includes('#token=abc')).toBe(link !== undefined)
      }
    }
  })

  test('a value cannot become markup', () => {
    const facts = { at: '<b>now</b>', factor: '"><script>alert(1)</script>' }
    const { html } = render({
      kind: 'factor_added',
      language: 'en',
      facts,
      link: undefined,
      publicUrl: 'https://t',
    })
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;')
  })
})
