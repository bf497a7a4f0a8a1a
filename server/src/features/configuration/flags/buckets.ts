import { hash } from 'node:crypto'

export const bucketCount = 100_000

/**
 * The bucket of a value in the splits of a flag, from 0 to 99,999. The function is public and never changes
 * (docs/contract.md, "Feature flags"), because products compute it in other languages.
 */
export const bucketOf = (key: string, salt: string, value: string | number): number => {
  const text = typeof value === 'number' ? JSON.stringify(value) : value
  const digits = hash('sha256', `${key}/${salt}/${text}`, 'hex').slice(0, 8)
  return Math.floor((Number.parseInt(digits, 16) * bucketCount) / 2 ** 32)
}
