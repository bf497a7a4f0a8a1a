export interface Block {
  kind: 'version' | 'part' | 'text' | 'item'
  text: string
}

const marks: [string, Block['kind']][] = [
  ['### ', 'part'],
  ['## ', 'version'],
  ['- ', 'item'],
]

/** Removes the marks of Markdown. The console cannot open a repository's relative links, so only their text stays. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\](?:\([^)]*\))?/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim()

/** The headings, paragraphs and list items of a changelog. Begins at its newest version. */
export const blocksOf = (markdown: string): Block[] =>
  markdown
    .slice(markdown.indexOf('\n## '))
    // Appends a line to the line before, unless it begins a block or a paragraph.
    .replaceAll(/(?<=[^\n])\n(?!\n|#|- )\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [mark, kind] = marks.find(([begin]) => line.startsWith(begin)) ?? ['', 'text' as const]
      return { kind, text: plain(line.slice(mark.length)) }
    })
