/** Rules about prose that a machine can see: CONTRIBUTING.md, "Prose". */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorOf, documents, filesOf, readText, root } from './documents.ts'

const place = (path: string, line: number) => `${path}:${line}`

describe('the documents', () => {
  test('are found', () => {
    const paths = documents.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'docs/contract.md', 'client/README.md']))
    expect(paths.length).toBeGreaterThan(60)
  })

  test('have no line of prose beyond 200 characters', () => {
    const long = documents.flatMap(({ path, prose }) =>
      prose.filter(({ text }) => text.length > 200).map(({ line }) => place(path, line)),
    )
    expect(long).toEqual([])
  })

  test('have no dead link, neither to a file nor to a heading', () => {
    const anchors = new Map(documents.map((document) => [document.path, document.anchors]))
    const isDead = (from: string, target: string): boolean => {
      if (/^[a-z]+:/.test(target)) return false
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? from : normalize(join(dirname(from), file)).replaceAll('\\', '/')
      if (!existsSync(`${root}${path}`)) return true
      return anchor !== undefined && anchors.get(path)?.has(anchor) !== true
    }
    const links = documents.flatMap(({ path, links: all }) => all.map((link) => ({ path, ...link })))
    expect(links.length).toBeGreaterThan(150)
    const dead = links.filter(({ path, target }) => isDead(path, target))
    expect(dead.map(({ path, line, target }) => `${place(path, line)} ${target}`)).toEqual([])
  })

  test('the pages that npm shows of a package link to nothing outside it', () => {
    const shown = documents.filter(({ path }) => ['client/README.md', 'server/README.md'].includes(path))
    expect(shown).toHaveLength(2)
    const outside = shown.flatMap(({ path, links }) =>
      links.filter(({ target }) => !/^([a-z]+:|#)/.test(target)).map(({ line }) => place(path, line)),
    )
    expect(outside).toEqual([])
  })

  test('name no file that is missing, the decision records aside', () => {
    const files = filesOf('**/*.*').map((path) => `/${path}`)
    const named = documents
      .filter(({ path }) => !path.startsWith('docs/decisions/'))
      .flatMap(({ path, prose, tables }) =>
        [...prose, ...tables].flatMap(({ line, text }) =>
          [...text.matchAll(/`([\w./-]+\.(?:tsx?|sql|sh))`/g)].map(([, name = '']) => ({ path, line, name })),
        ),
      )
    expect(named.length).toBeGreaterThan(200)
    const missing = named.filter(({ name }) => !files.some((file) => file.endsWith(`/${name}`)))
    expect(missing.map(({ path, line, name }) => `${place(path, line)} ${name}`)).toEqual([])
  })

  test('begin with a README of at most 180 lines', () => {
    expect(readText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(180)
  })
})

describe('the decision records', () => {
  const records = documents.filter(({ path }) => /^docs\/decisions\/\d{4}-/.test(path))
  const index = documents.find(({ path }) => path === 'docs/decisions/README.md')

  test('are in exactly one theme of the index, under their own title', () => {
    const lines = readText('docs/decisions/README.md').replaceAll('\n  ', ' ').split('\n')
    const listed = lines.filter((line) => /^- \[\d{4}\]/.test(line))
    const expected = records.map(({ path }) => {
      const [, number = '', title = ''] = /^# (\d{4}) (.*)$/m.exec(readText(path)) ?? []
      return `- [${number}](${path.slice('docs/decisions/'.length)}) ${title}`
    })
    expect(listed.toSorted()).toEqual(expected.toSorted())
    expect(index?.links.filter(({ target }) => /^\d{4}-/.test(target)).length).toBe(records.length)
  })

  test('have at most 400 words, a status and the three parts', () => {
    const wrong = records.filter(({ path }) => {
      const text = readText(path).trimEnd()
      const isShort = text.split(/\s+/).length <= 400
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
      return !isShort || !/^- Status: /m.test(text) || headings.join() !== 'Context,Decision,Consequences'
    })
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('are at most 45, each cited by code or by another page', () => {
    expect(records.length).toBeLessThanOrEqual(45)
    const citing = [...filesOf('**/*.{ts,tsx,sql,cfg,yaml,yml,md}'), '.redocly.lint-ignore.yaml']
      .filter((path) => !path.startsWith('docs/decisions/'))
      .map(readText)
      .join('\n')
    const cited = new Set([...citing.matchAll(/decisions?\/?\s?(\d{4})/gi)].map(([, number]) => number))
    const uncited = records.filter(({ path }) => !cited.has(/(\d{4})-/.exec(path)?.[1]))
    expect(uncited.map(({ path }) => path)).toEqual([])
  })
})

test('a message about a list that is full says what to do', () => {
  const messages = filesOf('server/src/**/*.service.ts').flatMap((path) =>
    [...readText(path).matchAll(/'\w+Full',\s*([`'])([^]*?)\1/g)].map(([, , message = '']) => message),
  )
  expect(messages.length).toBeGreaterThan(15)
  expect(messages.filter((message) => !/[.:] \w/.test(message))).toEqual([])
})

const sources = ['ts', 'tsx', 'js', 'sql'].flatMap((ending) =>
  filesOf(`**/*.${ending}`).map((path) => ({ path, text: readText(path) })),
)
const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

describe('test titles', () => {
  /** A title, before the function or the options of its test. `test.each(…)` ends with a parenthesis. */
  const titles =
    /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['`])((?:(?!\1).)+)\1,\s*(?:async\b|\(|\{|\w+ =>)/g
  /** Words that complete another sentence, and do not begin one. */
  const fragment =
    /^(?:of|that|which|who|whose|what|with|without|by|for|from|to|in|into|on|within|at (?!most|least)|after|before|when|while|where|until|once|and|but|elsewhere)\b/

  const found = sources
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(titles)].map(({ 2: title = '', index }) => ({
        place: place(path, lineAt(text, index)),
        title,
      })),
    )

  test('are sentences or subjects, and no ends of another title', () => {
    expect(found.length).toBeGreaterThan(3000)
    const wrong = found.filter(({ title }) => fragment.test(title) || title.endsWith(':'))
    expect(wrong.map((one) => `${one.place} ${one.title}`)).toEqual([])
  })

  test('have at most 25 words', () => {
    const long = found.filter(({ title }) => title.split(' ').length > 25)
    expect(long.map((one) => `${one.place} ${one.title}`)).toEqual([])
  })
})

interface Paragraph {
  text: string
  place: () => string
}

const comments = /^[ \t]*\/\*[^]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?:^[ \t]*--(?: .*)?\n)+/gm

/** Paragraphs of the comments that begin a line, without their tags. A list item is a paragraph. */
const paragraphsOf = ({ path, text }: { path: string; text: string }): Paragraph[] =>
  [...text.matchAll(comments)].flatMap(({ 0: whole, index }) => {
    const words = whole.replaceAll(/^[ \t]*(?:\/\*\*?|\*(?!\/)|\/\/|--)|\*\/$/gm, '')
    const [prose = ''] = words.replaceAll(/`[^`]*`/g, 'x').split(/^ *@/m)
    return prose.split(/\n\s*\n|\n(?= *- )/).map((paragraph) => ({
      text: paragraph.replaceAll(/\s+/g, ' ').trim(),
      place: () => place(path, lineAt(text, index)),
    }))
  })

describe('comments', () => {
  const riddle =
    /(?:\/\*\*?[\s*]*|(?<![:'"`\w])\/\/\s*|^\s*--\s+|\s--\s+)(?:What|Who|Whom|Whose|Of what|That which)\b/gm
  const paragraphs = sources.filter(({ text }) => !text.startsWith('// Written by')).flatMap(paragraphsOf)

  test('begin with a subject, not with What or Who', () => {
    expect(sources.length).toBeGreaterThan(300)
    const found = sources.flatMap(({ path, text }) =>
      [...text.matchAll(riddle)].map(({ 0: all, index }) => place(path, lineAt(text, index + all.length))),
    )
    expect(found).toEqual([])
  })

  test('have sentences of at most 25 words', () => {
    expect(paragraphs.length).toBeGreaterThan(5000)
    const countOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length
    const long = paragraphs.flatMap((one) =>
      one.text
        .split(/[.?!]["')]?\s/)
        .flatMap((sentence) => (countOf(sentence) > 25 ? `${one.place()} ${sentence}` : [])),
    )
    expect(long).toEqual([])
  })

  test('use none of the words that have a plainer one', () => {
    const vague = /\b(?:stands?(?! (?:for|in|out|still)\b)|tells|goes on|leads by|by now|whoever)\b/i
    const found = paragraphs.filter(({ text }) => vague.test(text.replaceAll(/"[^"]*"/g, '')))
    expect(found.map((one) => `${one.place()} ${one.text}`)).toEqual([])
  })

  test('cite documents by a path that is there', () => {
    const isDead = ({ text }: Paragraph) =>
      // A section of something that is no path, such as `moving, "Users"`.
      /(?<![\w./-])[a-z]+(?:-[a-z]+)*, "[A-Z]/.test(text) ||
      (text.match(/docs\/[\w/-]+\.md/g) ?? []).some((path) => !existsSync(`${root}${path}`))
    expect(paragraphs.filter(isDead).map((one) => `${one.place()} ${one.text}`)).toEqual([])
  })

  test('cite sections of documents by a heading that is there', () => {
    const anchors = new Map(documents.map((document) => [document.path, document.anchors]))
    const cited = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/(docs\/[\w-]+\.md),[\s*]+"([^"]+)"/g)].map(([, document = '', heading = '']) => ({
        path,
        document,
        heading: heading.replaceAll(/\n[\s*]+/g, ' '),
      })),
    )
    expect(cited.length).toBeGreaterThan(40)
    const unknown = cited.filter(({ document, heading }) => !anchors.get(document)?.has(anchorOf(heading)))
    expect(unknown.map(({ path, document, heading }) => `${path} ${document}, "${heading}"`)).toEqual([])
  })
})
