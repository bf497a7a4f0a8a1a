/**
 * Columns that derive from others, or that bound the work of this service. A forged file could contain any value there.
 * So an import computes the derived columns again, and refuses bad values of the others.
 * docs/decisions/0055-moving-a-tenant.md judges every column.
 */
import { hashCostMax } from '../../../crypto/passwords.ts'
import { publicKeyOf } from '../../../crypto/statements.ts'
import { checkOf } from '../../../values/check.ts'
import { isEmail } from '../../../values/formats.ts'
import { fold, searchedText } from '../../../values/text.ts'
import { Username } from '../../accounts/users/users.schemas.ts'
import type { About } from './transfer.schemas.ts'
import type { PartName } from './transfer.store.ts'

interface Row {
  [column: string]: unknown
}

const textOf = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value === 'string') return value
  throw new Error(`a row has no ${column}`)
}

const named = (row: Row): Row => ({ name_folded: fold(textOf(row, 'name')) })

const isUsername = checkOf(Username)

/** Throws for an address that the API refuses, and for a hash whose check would take minutes. */
const requireSoundAccount = (row: Row): void => {
  if (!isEmail(textOf(row, 'email'))) throw new Error('an account has no e-mail address')
  const cost = /^\$2[abxy]\$(\d\d)\$/.exec(textOf(row, 'password_hash'))?.[1]
  if (Number(cost) > hashCostMax) throw new Error(`a password hash has a cost above ${hashCostMax}`)
}

const derivations: Partial<Record<PartName, (row: Row, tenant: About['tenant']) => Row>> = {
  // The search for conflicts uses the manifest's slug, so the import must use it too.
  '01-tenant': (_row, { slug, name }) => ({ slug, name }),
  '02-accounts': (row) => {
    requireSoundAccount(row)
    return { email_folded: fold(textOf(row, 'email')) }
  },
  '03-users': (row) => {
    const [email, username, nickname] = [
      textOf(row, 'email'),
      textOf(row, 'username'),
      textOf(row, 'nickname'),
    ]
    if (!isUsername(username)) throw new Error('a user has no username')
    return {
      email_folded: fold(email),
      username_folded: fold(username),
      search_folded: searchedText({ username, email, nickname }),
    }
  },
  '03b-service-accounts': named,
  '04-roles': named,
  '13-audit-keys': ({ kid, public_jwk: jwk }) => ({
    public_jwk: publicKeyOf({ kid: String(kid), x: String((jwk as { x?: unknown } | null)?.x) }),
  }),
  '14-days': () => ({ tenants: 1 }),
}

/** The lines of a part, with their derived columns computed again. */
export const derive = (part: PartName, lines: string[], tenant: About['tenant']): string[] => {
  const derivation = derivations[part]
  if (!derivation) return lines
  return lines.map((line) => {
    const row = JSON.parse(line) as Row
    return JSON.stringify({ ...row, ...derivation(row, tenant) })
  })
}
