import type { SecondStep } from '../../../../http/schemas.ts'
import type { ProviderSignIn } from '../../linking/linking.service.ts'
import type { FederatedProof } from '../../../../values/proofs.ts'
import type { BroughtPerson } from '../../../sign-in/auth/invited-account.service.ts'
import type { FederatedPerson } from '../../linking/federated.service.ts'
import type { AccountToProve } from '../../linking/resolve.service.ts'

/** The person's answers in an interaction, stored as JSON. */
export interface InteractionProgress {
  /** The typed e-mail address. */
  email?: string
  /** The challenge of the code that was mailed last. */
  emailCode?: string
  /** The second step, which follows the first proof. */
  secondStep?: SecondStep
  /** The id of a connection's sign-in that lacks the factor of `secondStep`. */
  lackedBy?: string
  /** The chosen tenant. */
  tenantId?: string
  /** The service accepts only proofs after this time, in ISO 8601. */
  provedFrom?: string
  /** The consent of the person, in the form of `consentKeyOf`. */
  allowedFor?: string
  /** The factor that the person is adding. `id` names that of an authenticator app. */
  enrolment?: { id: string | undefined; name: string }
  /** The account that a provider's person must prove before the connection links it, or the provider opens it. */
  toProve?: { brought: ProviderSignIn | FederatedPerson; account: AccountToProve; tenant: string }
  /** The mailed link that opened the interaction. The sign-in returns to its page. */
  link?: LinkOfInteraction
  /** The address of a provider's person without an account, who can only create an organization. */
  signUpFor?: string
  /** The provider's proof and its account, while `secondStep` waits for the account's factor. */
  federated?: { accountId: number; proof: FederatedProof }
  /** True if the person refused, or the client's metadata are invalid. */
  isRefused?: boolean
  /** The hash of the device code in hex, if a device requested the sign-in. */
  deviceHash?: string
}

export interface LinkOfInteraction {
  page: '/sign-in/accept-invitation' | '/sign-in/sign-up'
  /** The address of the invitation or the sign-up. */
  email: string
  /** Whether the link was sent only by e-mail, so that its use proves the mailbox. */
  isMailed: boolean
  /** The person without an account whom a provider brought for the address. */
  person?: BroughtPerson
}
