import { randomInt } from 'node:crypto'
import { invalid } from '../../../errors/app-error.ts'

/** Slugs that look like a part of the installation. Only sign-up refuses them; an administrator may use one. */
const reserved: ReadonlySet<string> = new Set([
  'default',
  'tenantry',
  'admin',
  'api',
  'auth',
  'console',
  'login',
  'oauth2',
  'sign-in',
  'support',
  'www',
])

/** Throws 400 for a reserved slug. */
export const requireFreeSlug = (slug: string | undefined): void => {
  if (slug !== undefined && reserved.has(slug)) throw invalid('slug', 'is reserved. Choose another one')
}

/** A link or an e-mail address. */
const message = /:\/\/|www\.|@/i

/**
 * Throws 400 for a name that contains a message: the organization's invitations would carry it into other people's
 * mailboxes. Normalises with NFKC, so that look-alike characters do not evade it.
 */
export const requirePlainName = (name: string): void => {
  if (message.test(name.normalize('NFKC'))) {
    throw invalid('organization', 'must be a name, without links and addresses')
  }
}

/** Leaves room for a number. */
const slugMax = 54

/** The slug of a name; "org" if none of its letters is usable. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, slugMax)
    .replace(/-$/, '') || 'org'

/** Slugs for a name, the best first: without a number, with a small one, and with random ones. */
export const slugsFor = (name: string): string[] => {
  const base = slugOf(name)
  const numbers = [2, 3, 4, 5, 6, 7, 8, 9, randomInt(10, 10_000), randomInt(10_000, 1_000_000_000)]
  return [base, ...numbers.map((number) => `${base}-${number}`)].filter((slug) => !reserved.has(slug))
}
