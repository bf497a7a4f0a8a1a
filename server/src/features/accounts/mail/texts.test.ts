import sql from 'sql-template-tag'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditRecords, builtIn, newTenant, platformAdmin } from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import { writableKinds } from '../../../mail/kinds.ts'
import { texts } from '../../../mail/texts.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { faultsOfText } from '../../../start/mail-commands.ts'
import { systemCtx } from '../../../start/parts.ts'
import { parseTexts } from './text-files.service.ts'
import { applyTexts, exportTexts, planTexts } from './texts.service.ts'

const server = useMailServer()
beforeAll(() => platformAdmin())

const ctx = () => systemCtx(parts, 'mails')
const keep = { prune: false }
const prune = { prune: true }

afterEach(() => applyTexts(ctx(), [], prune))

const parse = (files: Record<string, string>) =>
  parseTexts(
    Object.entries(files).map(([name, content]) => ({ name, content })),
    faultsOfText,
  )
const apply = (files: Record<string, string>, options = keep) => applyTexts(ctx(), parse(files), options)
const plan = (files: Record<string, string>, options = keep) => planTexts(ctx(), parse(files), options)

const german =
  'subject: Neues Passwort für {{product}}\nbutton: Weiter\ntext: |\n  Hallo.\n\n  {{link}}\n\n  Bis bald.\n'

const exported = async () =>
  Object.fromEntries((await exportTexts(ctx())).map(({ name, content }) => [name, content]))

const forgotten = async (language: string) => {
  const { email } = await (await newTenant()).member()
  await parts.store.scoped({}).run(sql`update accounts set language = null where email = ${email}`)
  await call('POST', '/auth/password/forgot', { body: { email }, headers: { 'accept-language': language } })
  await deliver(server)
  return server.to(email).at(-1)
}

describe('texts as files', () => {
  test('are exported with the built-in ones, and an export is no difference', async () => {
    const files = await exported()
    expect(Object.keys(files)).toHaveLength(2 * writableKinds.length)
    expect(files['reset.en.yaml']).toContain('# Placeholders: {{product}}; {{link}} once')
    expect(files['invitation.zh.yaml']).toContain('subject: 邀请您加入 {{tenant}}')
    for (const options of [keep, prune]) expect(await plan(files, options)).toEqual([])
    expect(await apply(files)).toEqual([])
    await apply({ 'reset.de.yaml': german, 'reset.en.yaml': german })
    const changed = await exported()
    expect(Object.keys(changed)).toHaveLength(2 * writableKinds.length + 1)
    for (const options of [keep, prune]) expect(await plan(changed, options)).toEqual([])
  })

  test('are planned and applied, with a record for each change; a second time changes nothing', async () => {
    const files = { 'reset.de.yaml': german, 'reset.en.yaml': german }
    const lines = ['+ reset.de', '~ reset.en: subject, button, text']
    const count = async () => (await auditRecords(builtIn.id, 'mail_text', 'reset.de')).length
    const before = await count()
    expect(await plan(files)).toEqual(lines)
    expect(await count()).toBe(before)
    expect(await apply(files)).toEqual(lines)
    expect(await count()).toBe(before + 1)
    expect(await apply(files)).toEqual([])
    const changed = { 'reset.de.yaml': german.replace('Weiter', 'Los') }
    expect(await apply(changed)).toEqual(['~ reset.de: button'])
    const records = await auditRecords(builtIn.id, 'mail_text', 'reset.de')
    expect(records.map(({ action }) => action)).toContain('mail_text.update')
    expect(records.find(({ action }) => action === 'mail_text.update')?.detail).toMatchObject({
      name: { to: 'reset.de' },
      button: { from: 'Weiter', to: 'Los' },
    })
    expect(await apply(changed, prune)).toEqual(['- reset.en'])
    expect(await apply({}, prune)).toEqual(['- reset.de'])
    expect(await count()).toBe(before + 3)
  })

  test('files equal to the built-in texts store nothing', async () => {
    const files = await exported()
    await apply({ 'reset.en.yaml': german })
    expect(await apply(files)).toEqual(['~ reset.en: the built-in text again'])
    expect(await parts.store.scoped({}).many(sql`select kind from mail_texts`)).toEqual([])
  })

  test('change in the scope of the built-in tenant only: the database refuses another one', async () => {
    const tenant = await newTenant()
    const write = parts.store.transaction({ tenantId: tenant.id }, (db) =>
      db.run(sql`insert into mail_texts (kind, language, subject, text) values ('reset', 'fr', 'x', 'y')`),
    )
    await expect(write).rejects.toThrow(/row-level security/)
    await apply({ 'reset.de.yaml': german })
    const changed = await parts.store.transaction({ tenantId: tenant.id }, (db) =>
      db.run(sql`update mail_texts set text = 'y'`),
    )
    expect(changed).toBe(0)
  })
})

const text = (subject: string, body: string, button = 'Go') =>
  JSON.stringify({ subject, ...(button && { button }), text: body })
const good = 'Hi\n\n{{link}}'

const refused: [why: string, file: string, content: string, fault: string][] = [
  ['drops the link', 'reset.de.yaml', text('s', 'Hallo'), 'text must have {{link}} once'],
  ['has the link twice', 'reset.de.yaml', text('s', `${good}\n\n{{link}}`), 'text must have {{link}} once'],
  [
    'hides the link in a sentence',
    'reset.de.yaml',
    text('s', 'Open {{link}} now'),
    'text must have {{link}} once',
  ],
  ['has the link in the subject', 'reset.de.yaml', text('{{link}}', good), 'unknown placeholder {{link}}'],
  [
    'has the link on the button',
    'reset.de.yaml',
    text('s', good, '{{link}}'),
    'unknown placeholder {{link}}',
  ],
  [
    'has a link where there is none',
    'new_device.de.yaml',
    text('s', good, ''),
    'unknown placeholder {{link}}',
  ],
  ['has a button without a link', 'new_device.de.yaml', text('s', 'Hi'), 'button must be left out'],
  ['has a link without a button', 'reset.de.yaml', text('s', good, ''), 'button is missing'],
  [
    'has an unknown placeholder',
    'reset.de.yaml',
    text('s', `{{name}}\n\n${good}`),
    'unknown placeholder {{name}}',
  ],
  [
    'names a value of another kind',
    'reset.de.yaml',
    text('{{tenant}}', good),
    'unknown placeholder {{tenant}}',
  ],
  ['has half a placeholder', 'reset.de.yaml', text('s {{product', good), 'belongs to no placeholder'],
  ['has another link', 'reset.de.yaml', text('s', `https://evil.example\n\n${good}`), 'text has an address'],
  [
    'has another link without a scheme',
    'reset.de.yaml',
    text('WWW.evil.example', good),
    'subject has an address',
  ],
  ['has a subject of two lines', 'reset.de.yaml', text('a\nBcc: x', good), 'subject has more than one line'],
  ['has control characters', 'reset.de.yaml', text('s', `\u0007${good}`), 'text has control characters'],
  ['turns the direction', 'reset.de.yaml', text('s', `\u202E${good}`), 'text has control characters'],
  ['is too long', 'reset.de.yaml', text('s', 'x'.repeat(10_001)), 'text must'],
  ['is empty', 'reset.de.yaml', '', 'body'],
  ['is a list', 'reset.de.yaml', '[]', 'body'],
  ['has no subject', 'reset.de.yaml', '{ text: Hi }', 'subject'],
  ['has a further field', 'reset.de.yaml', '{ subject: s, text: Hi, html: <b> }', 'html'],
  ['is no YAML', 'reset.de.yaml', 'subject: [', 'is no YAML'],
  ['is of no kind', 'rest.de.yaml', text('s', good), 'no kind of e-mail is called rest'],
  ['is of a kind of the service', 'test.de.yaml', text('s', 'Hi', ''), 'no kind of e-mail is called test'],
  ['is in no language', 'reset.deutsch_.yaml', text('s', good), 'deutsch_ is no language tag'],
  ['names no language', 'reset.yaml', text('s', good), 'must be named as a kind and a language'],
]

test.each(refused)('a text that %s stops the apply', (_why, name, content, fault) => {
  expect(() => parse({ [name]: content })).toThrow(Refusal)
  expect(() => parse({ [name]: content })).toThrow(`${name}: `)
  expect(() => parse({ [name]: content })).toThrow(fault)
})

test('all faults come at once, and two files of one text are one', () => {
  const files = {
    'reset.de.yaml': german,
    'reset.DE.yaml': german,
    'rest.de.yaml': german,
    'reset.fr.yaml': '[]',
  }
  let faults: string[] = []
  try {
    parse(files)
  } catch (err) {
    faults = (err as Refusal).faults
  }
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'reset.DE.yaml',
    'rest.de.yaml',
    'reset.fr.yaml',
  ])
})

describe('the language of an e-mail', () => {
  const swiss = german.replace('Hallo', 'Grüezi')

  test('is that of the person, else its base language, else English', async () => {
    await apply({ 'reset.de.yaml': german, 'reset.de-CH.yaml': swiss })
    const said = async (language: string) => (await forgotten(language))?.source
    expect(await said('de-CH')).toContain('Grüezi.')
    expect(await said('de-AT,en;q=0.5')).toContain('Hallo.')
    expect(await said('fr')).toContain(texts.en.reset.button)
    expect(await said('fr,de;q=0.5')).toContain('Hallo.')
    expect(await said('fr,zh;q=0.5,de;q=0.4')).toContain(texts.zh.reset.button)
  })

  test('a text takes effect at once, with the one button of the link and the name of the product', async () => {
    await apply({ 'reset.en.yaml': german })
    const mail = await forgotten('en')
    expect(mail?.subject).toBe('Neues Passwort für Tenantry')
    expect(mail?.source.match(/<a /g)).toHaveLength(1)
    expect(mail?.source).toContain(`<a href="${mail?.link}"`)
    expect(mail?.token).toMatch(/^[\w-]{43}$/)
  })
})
