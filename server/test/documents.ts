/** The documents of the repository as tests read them: lines of prose, links, headings and blocks of code. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folders of other people's files, and of generated ones. */
const foreign = new Set(['node_modules', 'dist', 'data', 'coverage', '.git'])

/** Paths from the root of the repository. */
export const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: (name) => foreign.has(name.split('/').at(-1) ?? '') })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()

export const readText = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

export interface Block {
  path: string
  /** Number of the line that opens the block. */
  line: number
  language: string
  /** The reason why no test runs the block, as its opening line gives it. */
  notRun: string | undefined
  code: string
}

interface Line {
  line: number
  text: string
}

interface Document {
  path: string
  prose: Line[]
  tables: Line[]
  blocks: Block[]
  /** Names that a link to this document can end with. */
  anchors: Set<string>
  links: { line: number; target: string }[]
}

/** A heading's anchor, as GitHub and GitLab make it. */
export const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** The targets of the links in one line; text in backticks has none. */
const linksOf = (text: string): string[] =>
  [...text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)

const fenced = /^ *```(\w*) ?(?:not-run: (.*))?\n([\s\S]*?)^ *```$/gm

const readDocument = (path: string): Document => {
  const text = readText(path)
  const blocks = [...text.matchAll(fenced)].map(
    ({ 1: language = '', 2: notRun, 3: code = '', index }): Block => ({
      path,
      line: text.slice(0, index).split('\n').length,
      language,
      notRun,
      code,
    }),
  )
  const outside = text.replaceAll(fenced, (block) => block.replaceAll(/.*/g, ''))
  if (outside.includes('```')) throw new Error(`${path} has a block of code of another form`)
  const lines = outside.split('\n').map((one, index): Line => ({ line: index + 1, text: one }))
  const headings = lines.flatMap(({ text: one }) => /^#+ (.*)$/.exec(one)?.[1] ?? [])
  return {
    path,
    blocks,
    prose: lines.filter((one) => !isTable(one)),
    tables: lines.filter(isTable),
    anchors: new Set(headings.map(anchorOf)),
    links: lines.flatMap(({ line, text: one }) => linksOf(one).map((target) => ({ line, target }))),
  }
}

const isTable = ({ text }: Line): boolean => text.trimStart().startsWith('|')

export const documents: Document[] = filesOf('**/*.md').map(readDocument)

export const blocks: Block[] = documents.flatMap((document) => document.blocks)

/** The blocks of one document in one language that a test runs. */
export const toRun = (path: string, language: string): Block[] =>
  blocks.filter((block) => block.path === path && block.language === language && block.notRun === undefined)
