/** The stored form of a directory's user. */
import { invalidValue } from '../../../errors/scim-error.ts'
import { fold, nameFrom } from '../../../values/text.ts'
import { enterpriseSchema } from './attributes.ts'
import { ownExtension, textsIn, withTexts, type Texts } from './texts.ts'
import { requireShort, type Raw } from './values.ts'

export interface UserValue {
  externalId: string | null
  userName: string
  /** The address: the primary e-mail, else the first e-mail, else the user name. */
  email: string
  displayName: string
  active: boolean
  name: Raw
  emails: Raw[]
  extension: Raw
  /** Texts that are kept only because they fill attributes, by their paths. */
  texts: Texts
}

const userNameMax = 254
const nicknameMax = 64
const extensionBytesMax = 4096

const address = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z0-9-]+$/

const addressOf = (emails: Raw[], userName: string): string => {
  const chosen = emails.find(({ primary }) => primary === true) ?? emails[0]
  const text = chosen ? chosen['value'] : userName
  if (typeof text === 'string' && text.length <= userNameMax && address.test(text)) return text
  throw invalidValue(
    'The user needs an e-mail address: as the primary e-mail, the first one, or the userName',
  )
}

const requireNames = ({ userName, externalId, name, displayName, emails }: Raw): void => {
  if (typeof userName !== 'string' || userName.trim() === '') throw invalidValue('userName is required')
  requireShort('userName', userName, userNameMax)
  requireShort('externalId', externalId, userNameMax)
  for (const [part, value] of Object.entries({ name, displayName, emails })) requireShort(part, value)
}

const requireExtensionBytes = (extension: Raw): void => {
  if (Buffer.byteLength(JSON.stringify(extension)) > extensionBytesMax) {
    throw invalidValue(`The enterprise extension has at most ${extensionBytesMax / 1024} KiB`)
  }
}

/** The values that stay where a resource has none, or none that can be kept. */
type Earlier = Pick<UserValue, 'active' | 'texts'>

/** The value of a resource. `paths` are those that fill attributes. Throws 400 `invalidValue`. */
export const userValueOf = (raw: Raw, earlier: Earlier, paths: string[]): UserValue => {
  requireNames(raw)
  const userName = raw['userName'] as string
  const emails = (raw['emails'] as Raw[] | undefined) ?? []
  const extension = ownExtension(raw)
  requireExtensionBytes(extension)
  return {
    externalId: (raw['externalId'] as string | undefined) ?? null,
    userName,
    email: addressOf(emails, userName),
    displayName: (raw['displayName'] as string | undefined) ?? '',
    active: (raw['active'] as boolean | undefined) ?? earlier.active,
    name: (raw['name'] as Raw | undefined) ?? {},
    emails,
    extension,
    texts: textsIn(raw, paths, earlier.texts),
  }
}

/** The parts of a value that can fill attributes. */
export type UserParts = Pick<UserValue, 'externalId' | 'displayName' | 'name' | 'extension' | 'texts'>

export const partsOfUser = ({ externalId, displayName, name, extension, texts }: UserParts): Raw =>
  withTexts(
    {
      ...(externalId !== null && { externalId }),
      ...(displayName !== '' && { displayName }),
      ...(Object.keys(name).length > 0 && { name }),
      ...(Object.keys(extension).length > 0 && { [enterpriseSchema]: extension }),
    },
    texts,
  )

/** The resource of a value, from which a change starts. */
export const rawOfUser = (id: string, value: UserValue): Raw => ({
  id,
  userName: value.userName,
  active: value.active,
  ...(value.emails.length > 0 && { emails: value.emails }),
  ...partsOfUser(value),
})

const foldedIn = (value: unknown): unknown => {
  if (typeof value === 'string') return fold(value)
  if (Array.isArray(value)) return value.map(foldedIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, foldedIn(part)]))
}

/** The texts that filters compare without case. */
export const foldedParts = ({ displayName, name, emails, extension }: UserValue): unknown =>
  foldedIn({ displayName, name, emails, extension })

/** The user's nickname: the first name that the directory sent, in the form of nicknames. */
export const nicknameOf = ({ displayName, name }: Pick<UserValue, 'displayName' | 'name'>): string => {
  const { formatted = '', givenName = '', familyName = '' } = name as Record<string, string | undefined>
  const names = [displayName, formatted, `${givenName} ${familyName}`]
  return names.map((one) => nameFrom(one, nicknameMax)).find((one) => one !== '') ?? ''
}
