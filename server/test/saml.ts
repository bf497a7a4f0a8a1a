/** Reads posted responses without an attempt. */
import { openResponse, readResponse, type Expectations } from '../src/features/sso/saml-response.ts'

export const readPosted = (posted: string, expected: Expectations) => {
  const opened = openResponse(posted)
  return 'refused' in opened ? opened : readResponse(opened, expected)
}
