/** Tells what is being done; on a terminal in one line that the next one overwrites. */
export const progress = (text: string): void => {
  const { isTTY, columns } = process.stderr
  process.stderr.write(isTTY ? `\r\u001B[K${text.slice(0, columns - 1)}` : `${text}\n`)
}
