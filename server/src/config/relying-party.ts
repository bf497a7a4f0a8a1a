import { isIP } from 'node:net'

/** This installation as a WebAuthn relying party. */
export interface RelyingParty {
  /** The host of the public address. */
  id: string
  origin: string
}

/**
 * Undefined if the public address cannot have passkeys. Browsers require a secure origin, and an IP address is no RP
 * ID (WebAuthn, "relying party identifier").
 */
export const relyingPartyOf = ({ publicUrl }: { publicUrl: string }): RelyingParty | undefined => {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isDomain = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  return (protocol === 'https:' && isDomain) || hostname === 'localhost'
    ? { id: hostname, origin }
    : undefined
}

/** True if people can sign in with passkeys here. */
export const passkeysAreOn = (config: { publicUrl: string }): boolean => relyingPartyOf(config) !== undefined
