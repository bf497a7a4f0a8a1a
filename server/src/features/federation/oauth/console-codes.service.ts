/** The end of a sign-in to the console by a connection: a code that its page exchanges for tokens, once, for a minute. */
import { randomBytes } from 'node:crypto'
import { nobody } from '../../../access/actor.ts'
import { inTenant, inTransaction, inTransactionAfter, type Ctx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import { noteSignIn } from '../../sign-in/auth/sign-in.service.ts'
import type { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'
import { issueTokens, openSession } from '../../accounts/sessions/sessions.service.ts'
import * as store from './console-codes.store.ts'
import { cookieHashOf, readCookie } from './cookies.service.ts'
import type { Ready } from './next.service.ts'
import type { BrowserCookies } from './place.ts'
import type { Situation } from './situation.ts'
import { useSignIn } from './sign-ins.service.ts'

const codeMs = 60_000

const consoleCodeDead = () =>
  new AppError('consoleCodeDead', 'This sign-in is over. Begin it again in this browser')

/** Makes the code. It works once, for a minute, in the browser of the sign-in. */
export const finishForConsole = async (
  ctx: Ctx,
  { browser }: Situation,
  { signIn, member }: Ready,
): Promise<string> => {
  const { id: signInId, connection, accountId, accountEpoch, amr } = signIn
  if (!connection || !browser) throw consoleCodeDead()
  const code = randomBytes(32).toString('base64url')
  await inTransaction(inTenant({ ...ctx, actor: nobody }, member.tenant_id), async (ctx) => {
    if (!(await useSignIn(ctx, signIn))) throw consoleCodeDead()
    const { id, latestExpiresAt } = connection
    store.insertConsoleCode(ctx.db, {
      codeHash: sha256(code),
      browserHash: cookieHashOf(browser),
      accountId,
      admission: {
        tenantId: member.tenant_id,
        userId: member.user_id,
        signInId,
        accountEpoch,
        amr,
        connection: { id, latestExpiresAt: latestExpiresAt.toISOString() },
      },
      expiresAt: new Date(ctx.parts.now().getTime() + codeMs),
    })
  })
  return code
}

/** Exchanges a code for a session of the console. Throws 401 for a dead code, and in another browser. */
export const exchangeConsoleCode = async (
  ctx: Ctx,
  code: string,
  cookies: BrowserCookies,
): Promise<TokenPair> => {
  const browser = readCookie(cookies.browser)
  const now = ctx.parts.now()
  const spent = browser && (await store.deleteConsoleCode(ctx.db, sha256(code), cookieHashOf(browser), now))
  if (!spent) throw consoleCodeDead()
  const { account_id: accountId, admission } = spent
  const { tenantId, userId, amr, accountEpoch } = admission
  const connection = {
    id: admission.connection.id,
    latestExpiresAt: new Date(admission.connection.latestExpiresAt),
  }
  const subject = await inTransactionAfter(
    inTenant({ ...ctx, actor: nobody }, tenantId),
    ({ db }) => store.selectStanding(db, accountId, admission),
    async (ctx, standing) => {
      if (standing?.session_epoch !== accountEpoch) throw consoleCodeDead()
      noteSignIn(ctx, userId)
      return openSession(ctx, { userId, tenantId }, amr, connection)
    },
  )
  ctx.parts.metrics.logins.inc({ result: 'ok' })
  ctx.parts.cache.touch(tenantId, userId)
  return issueTokens(ctx, subject)
}
