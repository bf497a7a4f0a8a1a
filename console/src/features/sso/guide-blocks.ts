/** Parses the guides of providers: only the Markdown that they use. */
export type GuideBlock =
  | { kind: 'text'; text: string }
  | { kind: 'item'; number: string; text: string }
  | { kind: 'table'; rows: string[][] }

/** Removes the marks of Markdown. The console cannot open a repository's relative links, so only their text stays. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<![\w`])_([^_]+)_(?!\w)/g, '“$1”')
    .replaceAll('`', '')
    .trim()

const cellsOf = (line: string): string[] => line.split('|').slice(1, -1).map(plain)

const isRule = (line: string): boolean => /^\|[\s|:-]+\|$/.test(line)

const addRow = (blocks: GuideBlock[], line: string): void => {
  const last = blocks.at(-1)
  if (last?.kind === 'table') last.rows.push(cellsOf(line))
  else blocks.push({ kind: 'table', rows: [cellsOf(line)] })
}

/** Appends a line to the paragraph or item before it, unless an empty line separates them. */
const addText = (blocks: GuideBlock[], line: string, isNext: boolean): void => {
  const last = blocks.at(-1)
  const [, number = '', item = ''] = /^(\d+)\. (.*)$/.exec(line) ?? []
  if (number !== '') blocks.push({ kind: 'item', number, text: plain(item) })
  else if (isNext && last && 'text' in last) last.text += ` ${plain(line)}`
  else blocks.push({ kind: 'text', text: plain(line) })
}

/** The part of a guide below one heading, such as `## SAML`. */
const partOf = (guide: string, heading: string): string =>
  guide.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''

/**
 * The blocks of one part of a guide, without its heading. A mark can begin and end on different lines of a paragraph.
 */
export const guideBlocks = (guide: string, heading: string): GuideBlock[] => {
  const blocks: GuideBlock[] = []
  let isNext = false
  const joined = partOf(guide, heading).replaceAll(/(?<=[^\n|])\n {0,3}(?![\n|]|\d+\. )/g, ' ')
  for (const line of joined.split('\n').slice(1)) {
    const text = line.trim()
    if (text.startsWith('|')) {
      if (!isRule(text)) addRow(blocks, text)
    } else if (text !== '') addText(blocks, text, isNext)
    isNext = text !== ''
  }
  return blocks
}

/** The text before the first heading, without the link to the other document: the page itself has those steps. */
export const guideIntroduction = (guide: string): string => {
  const [, text = ''] = /^# .*\n\n(?:\[[^\]]*\]\([^)]*\) come first\.)?\s*([\s\S]*?)\n## /.exec(guide) ?? []
  return plain(text.replaceAll('\n', ' '))
}
