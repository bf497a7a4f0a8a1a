import type { SecondStep } from '../../../../http/schemas.ts'

import type { ProviderSignIn } from '../../linking/linking.service.ts'
import type { AccountToProve } from '../../linking/resolve.service.ts'

/** The answers of a person so far. */
export interface Progress {
  /** The address that was typed. */
  email?: string
  /** The second step that the right password led to. */
  secondStep?: SecondStep
  /** The sign-in by a connection that lacks this second step. */
  lackedBy?: string
  /** The tenant that was chosen here. */
  tenantId?: string
  /** Earlier proofs do not count here. ISO 8601. */
  provedFrom?: string
  /** The click on the page, with all that it was for: `allowanceOf`. */
  allowedFor?: string
  /** The factor that is being added; `id` is that of an authenticator app. */
  enrolment?: { id: string | undefined; name: string }
  /** The account that the person of a connection has to prove, before it is linked. */
  toProve?: { brought: ProviderSignIn; account: AccountToProve; tenant: string }
  /** The person refused, or the client is not to be answered. */
  isRefused?: boolean
  /** Of a device: the hash of its code, in hex. */
  deviceHash?: string
}
