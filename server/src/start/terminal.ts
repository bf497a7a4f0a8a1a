/** Reads a password from the terminal, and shows results and progress on it. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Reads one line from standard input. An argument would be visible to every process of the machine. */
export const readPassword = async (): Promise<string> => {
  const isTerminal = process.stdin.isTTY
  // On a terminal, readline writes its echo to this output, which discards it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal })
  // The prompt comes after readline, because the terminal echoes input before that.
  if (isTerminal) process.stderr.write('Password (8 to 128 characters, not shown): ')
  try {
    const [line = ''] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as string[]
    return line
  } finally {
    // If the terminal stayed open, the process would not end.
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}

/** An exit through `process.exit` removes unfinished files. */
export const exitOnSignals = (): void => {
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
}

/** Overwrites one progress line, only on a terminal. */
export const showProgress = (done: number, total: number): void => {
  if (!process.stderr.isTTY) return
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
  process.stderr.write(percent === 100 ? '\r\u001B[K' : `\r${percent} %`)
}

export const printLines = (lines: string[]): void => {
  for (const line of lines) print(line)
}

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
