/** The second factors of the caller, as the caller reads them. */
import { relyingPartyOf } from '../../../config/relying-party.ts'
import type { Ctx } from '../../../context.ts'
import { getOwnAccount } from '../accounts/credentials.service.ts'
import { listFactorsOfAccount } from './factors.service.ts'
import type { Factors } from './factors.schemas.ts'
import * as store from './factors.store.ts'
import { passkeysOf } from './passkeys.service.ts'

/** The account's passkeys of this service's address. Null before the account's first passkey. */
const acceptedPasskeys = (
  ctx: Ctx,
  handle: Buffer | null,
  factors: store.FactorRow[],
): Factors['accepted_passkeys'] => {
  const party = relyingPartyOf(ctx.parts.config)
  if (!party || !handle) return null
  return {
    rpId: party.id,
    userId: handle.toString('base64url'),
    allAcceptedCredentialIds: passkeysOf(ctx, factors).map((one) => one.credential_id),
  }
}

export const listFactors = async (ctx: Ctx): Promise<Factors> => {
  const { id, password_scheme: scheme, passkey_handle: handle } = await getOwnAccount(ctx)
  const [listed, factors, codes] = await Promise.all([
    listFactorsOfAccount(ctx, id),
    store.selectFactors(ctx.db, id),
    store.countRecoveryCodes(ctx.db, id),
  ])
  return {
    factors: listed,
    recovery_codes_left: codes?.count ?? 0,
    has_password: scheme !== 'none',
    accepted_passkeys: acceptedPasskeys(ctx, handle, factors),
  }
}
