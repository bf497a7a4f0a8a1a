export interface Block {
  kind: 'version' | 'part' | 'text' | 'item'
  text: string
}

const marks: [string, Block['kind']][] = [
  ['### ', 'part'],
  ['## ', 'version'],
  ['- ', 'item'],
]

/** Words without the marks of Markdown. Links of a repository lead nowhere from the console. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\](?:\([^)]*\))?/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim()

/** The headings, paragraphs and list items of a changelog, from its newest version on. */
export const blocksOf = (markdown: string): Block[] =>
  markdown
    .slice(markdown.indexOf('\n## '))
    // A line that begins neither a block nor a paragraph goes on with the one before.
    .replaceAll(/(?<=[^\n])\n(?!\n|#|- )\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [mark, kind] = marks.find(([begin]) => line.startsWith(begin)) ?? ['', 'text' as const]
      return { kind, text: plain(line.slice(mark.length)) }
    })
