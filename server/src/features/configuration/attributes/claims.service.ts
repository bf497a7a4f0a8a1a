/** The attributes in ID tokens and at userinfo. */
import type { CallerlessCtx } from '../../../context.ts'
import { bytesOf } from './attribute-values.ts'
import * as store from './attributes.store.ts'

const claimBytesMax = 256

/** The claims about a user and the tenant in scope, without values of more than 256 bytes. */
export const claimsOfUser = async (
  { db, tenantId }: CallerlessCtx,
  userId: number,
): Promise<Record<string, unknown>> => {
  const found = await store.selectClaims(db, { tenantId, userId })
  return Object.fromEntries(
    found.filter(({ value }) => bytesOf(value) <= claimBytesMax).map(({ claim, value }) => [claim, value]),
  )
}
