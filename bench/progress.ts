/** Shows the present step; on a terminal each line overwrites the one before. */
export const progress = (text: string): void => {
  const { isTTY, columns } = process.stderr
  process.stderr.write(isTTY ? `\r\u001B[K${text.slice(0, columns - 1)}` : `${text}\n`)
}
