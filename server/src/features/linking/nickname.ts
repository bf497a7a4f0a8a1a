/** docs/contract.md, "Users and accounts": a nickname has up to 64 characters. */
const lengthMax = 64

/** The name of a provider as a nickname: one line, cut off. */
export const nicknameOf = (name: string): string =>
  [...name.replaceAll(/\p{C}/gu, ' ').trim()].slice(0, lengthMax).join('').slice(0, lengthMax).trim()
