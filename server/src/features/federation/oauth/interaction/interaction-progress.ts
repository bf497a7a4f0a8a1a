import type { SecondStep } from '../../../../http/schemas.ts'
import type { ProviderSignIn } from '../../linking/linking.service.ts'
import type { AccountToProve } from '../../linking/resolve.service.ts'

/** The person's answers in an interaction, stored as JSON. */
export interface InteractionProgress {
  /** The typed e-mail address. */
  email?: string
  /** The second step, after the right password. */
  secondStep?: SecondStep
  /** The id of a sign-in by a connection. `secondStep` is the factor that it lacks. */
  lackedBy?: string
  /** The chosen tenant. */
  tenantId?: string
  /** ISO 8601. Proofs from before are not accepted. */
  provedFrom?: string
  /** The consent of the person, in the form of `consentKeyOf`. */
  allowedFor?: string
  /** The factor that the person is adding. `id`: of an authenticator app. */
  enrolment?: { id: string | undefined; name: string }
  /** The account that a provider's person has to prove before it is linked. */
  toProve?: { brought: ProviderSignIn; account: AccountToProve; tenant: string }
  /** The person refused, or the client's metadata is invalid. */
  isRefused?: boolean
  /** The hash of the device code in hex, in the sign-in of a device. */
  deviceHash?: string
}
