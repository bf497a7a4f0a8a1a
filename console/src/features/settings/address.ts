/** Whether a text is "", or an `https` address without a user (docs/contract.md, "Settings"). */
export const isAddress = (text: string, lengthMax: number): boolean => {
  if (text === '') return true
  const isPlain = /^https:\/\/[!-~]+$/.test(text) && !/[<>"'\\]/.test(text)
  if (text.length > lengthMax || !isPlain || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
