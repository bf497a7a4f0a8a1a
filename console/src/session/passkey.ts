import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@tenantry/client'
import { loadPart } from '../load-part.ts'

/** Fetched when the page first uses a passkey. */
const load = loadPart(() => import('@simplewebauthn/browser'))

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis

export const askPasskey = async (options: PasskeyRequestOptions) =>
  (await load()).startAuthentication({ optionsJSON: options })

export const createPasskey = async (options: PasskeyCreationOptions) =>
  (await load()).startRegistration({ optionsJSON: options })
