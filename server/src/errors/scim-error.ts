/** The detail error keywords of RFC 7644, table 9, that the service answers with. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** An error in the form that SCIM prescribes (RFC 7644, 3.12). */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, message: string, scimType?: ScimType) {
    super(message)
    this.status = status
    this.scimType = scimType
  }
}

export const invalidFilter = (message: string) => new ScimError(400, message, 'invalidFilter')
export const invalidPath = (message: string) => new ScimError(400, message, 'invalidPath')
export const invalidValue = (message: string) => new ScimError(400, message, 'invalidValue')
export const uniqueness = (message: string) => new ScimError(409, message, 'uniqueness')
