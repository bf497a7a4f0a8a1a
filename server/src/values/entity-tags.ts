import { AppError } from '../errors/app-error.ts'

/** True if the header contains the tag, or is just `*` (RFC 9110, 13.1). */
export const namesTag = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((one) => one.trim() === tag)

export const tagOfVersion = (version: number): string => `"${version}"`

/**
 * Throws 412 unless `If-Match` is missing or names the present version. Without a present version, no header matches.
 */
export const requireVersion = (ifMatch: string | undefined, present: number | undefined): void => {
  if (ifMatch === undefined) return
  if (present !== undefined && namesTag(ifMatch, tagOfVersion(present))) return
  throw new AppError('versionOutdated', 'It has changed since you read it. Read it again, and repeat')
}
