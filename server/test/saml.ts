/** Our side of SAML without an installation. */
import { rsaKey } from '../../lab/saml.ts'
import { ourMetadata } from '../src/features/federation/sso/saml-request.ts'
import {
  openResponse,
  readResponse,
  type Expectations,
} from '../src/features/federation/sso/saml-response.ts'

/** Reads a posted response without an attempt. */
export const readPosted = (posted: string, expected: Expectations) => {
  const opened = openResponse(posted)
  return 'refused' in opened ? opened : readResponse(opened, expected)
}

/** Our key in these tests. */
export const requestKey = rsaKey()

/** Our metadata of no connection, for a provider that reads only requests that it does not verify. */
export const strangersMetadata = ourMetadata(
  { entityId: 'https://a.example', acsUrl: 'https://a.example' },
  { key: requestKey.privateKey, signsRequests: false },
)
