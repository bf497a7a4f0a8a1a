import { randomInt } from 'node:crypto'
import { invalid } from '../../../errors/app-error.ts'

/** Slugs that look like a part of the installation. Only sign-up refuses them: an administrator may use them. */
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
 * Throws 400 for a name that contains a message, because the organization's invitations would send it to other people.
 * Normalises with NFKC, so that look-alike characters do not evade the check.
 */
export const requirePlainName = (name: string): void => {
  if (message.test(name.normalize('NFKC'))) {
    throw invalid('organization', 'must be a name, without links and addresses')
  }
}

/** The maximum leaves room for a number. */
const slugMax = 54

/** The slug of a name; "org" if the name has no usable letter. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, slugMax)
    .replace(/-$/, '') || 'org'

/** Slugs for a name, the best first: without a number, with a small number, and with random numbers. */
export const slugsFor = (name: string): string[] => {
  const base = slugOf(name)
  const numbers = [2, 3, 4, 5, 6, 7, 8, 9, randomInt(10, 10_000), randomInt(10_000, 1_000_000_000)]
  return [base, ...numbers.map((number) => `${base}-${number}`)].filter((slug) => !reserved.has(slug))
}
