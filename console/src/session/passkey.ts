import type { Factors, PasskeyCreationOptions, PasskeyRequestOptions } from '@tenantry/client'
import { loadPart } from '../load-part.ts'

/** Fetched when the page first uses a passkey. */
const load = loadPart(() => import('@simplewebauthn/browser'))

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis

export const askPasskey = async (options: PasskeyRequestOptions) =>
  (await load()).startAuthentication({ optionsJSON: options })

export const createPasskey = async (options: PasskeyCreationOptions) =>
  (await load()).startRegistration({ optionsJSON: options })

/** Whether the browser lists passkeys in a field with `autocomplete="username webauthn"`. */
export const canListPasskeys = async (): Promise<boolean> =>
  canUsePasskeys() && (await load()).browserSupportsWebAuthnAutofill()

/** Lists the passkeys in the address field. Waits until the person chooses one. */
export const listPasskeys = async (options: PasskeyRequestOptions) =>
  (await load()).startAuthentication({ optionsJSON: options, useBrowserAutofill: true })

/** Ends the present request to the browser, which rejects. */
export const endPasskeyRequest = async (): Promise<void> =>
  (await load()).WebAuthnAbortService.cancelCeremony()

/** Signals to the device that no account has this passkey. Does nothing in older browsers. */
export const forgetPasskey = async (
  { rpId: rpID }: PasskeyRequestOptions,
  credentialID: string,
): Promise<void> =>
  (await load()).sendSignal({ signalName: 'unknownCredential', rpID, credentialID }).catch(() => undefined)

/** Signals to the device which passkeys the account has. Does nothing in older browsers. */
export const tellPasskeys = async (accepted: Factors['accepted_passkeys']): Promise<void> => {
  if (!accepted || !canUsePasskeys()) return
  const { rpId: rpID, userId: userID, allAcceptedCredentialIds: allAcceptedCredentialIDs } = accepted
  await (
    await load()
  )
    .sendSignal({ signalName: 'allAcceptedCredentials', rpID, userID, allAcceptedCredentialIDs })
    .catch(() => undefined)
}
