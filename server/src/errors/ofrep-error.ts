/** An error that the OpenFeature Remote Evaluation Protocol names. */
export class OfrepError extends Error {
  override readonly name = 'OfrepError'
  readonly status: 400 | 404
  readonly code: string

  constructor(code: string, message: string, status: 400 | 404 = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}
