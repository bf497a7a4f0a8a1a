import { nameFrom } from '../../../values/text.ts'

/** docs/contract.md, "Users and accounts": a nickname has up to 64 characters. */
const lengthMax = 64

/** The provider's name as a nickname: on one line, and shortened. */
export const nicknameOf = (name: string): string => nameFrom(name, lengthMax)
