/** Invitations and sign-up links on the sign-in pages. They open the sign-in of the browser. */
import { nobody } from '../../../../access/actor.ts'
import { tokenInvalid, type Ctx } from '../../../../context.ts'
import type { LoginFactor } from '../../../sign-in/auth/auth.schemas.ts'
import { proveByFactor } from '../../../sign-in/auth/sign-in.service.ts'
import { countSource, keepDevice } from '../../../accounts/mail/mail.service.ts'
import { addIdentity } from '../../../accounts/identities/identities.service.ts'
import { requireReach } from '../../../accounts/sessions/reach.service.ts'
import type { BroughtPerson } from '../../../sign-in/auth/invited-account.service.ts'
import { acceptInvitationTo, getInvited } from '../../../tenancy/invitations/accept.service.ts'
import {
  describeSecondStep,
  isSecondStep,
  type Joined,
  type OpenJoined,
} from '../../../tenancy/invitations/link-sign-in.service.ts'
import { confirmSignUpTo, getSigningUp } from '../../../tenancy/sign-up/sign-up.service.ts'
import { consoleClient } from '../../applications/clients.service.ts'
import type { AcceptInvitation, ConfirmSignUp, JoinedHere, OpenForLink, Reader } from './links.schemas.ts'
import {
  interactionUnknown,
  openInteraction,
  readState,
  type OpenedInteraction,
} from './interactions.service.ts'
import type { BrowserCookies } from '../browser/browser-cookies.ts'
import {
  asMember,
  endSignIn,
  findSignIn,
  listMembers,
  signInOpener,
  useSignIn,
  type OpenedSignIn,
  type SignIn,
} from '../browser/sign-ins.service.ts'

/** The browser's sign-in. Undefined if a connection opened it, because a connection proves no account. */
const findOwnSignIn = async (ctx: Ctx, cookies: BrowserCookies): Promise<SignIn | undefined> => {
  const signIn = await findSignIn(ctx, cookies.signIn)
  return signIn?.connection ? undefined : signIn
}

export const getReader = async (ctx: Ctx, cookies: BrowserCookies): Promise<Reader> => ({
  account: (await findOwnSignIn(ctx, cookies))?.email ?? '',
})

/** The request with the signed-in person as caller. Without a sign-in it has no caller. */
const asReader = async (ctx: Ctx, signIn: SignIn | undefined): Promise<Ctx> => {
  const members = signIn ? await listMembers(ctx, signIn) : []
  const member = members.find((one) => one.barrier === null)
  const own = signIn && member && (await asMember(ctx, signIn, member))
  return own ? { ...ctx, actor: own.actor } : { ...ctx, actor: nobody }
}

interface JoinedSignIn {
  tenantId: string
  /** The new sign-in; undefined if the present sign-in remains. */
  signIn: OpenedSignIn | undefined
}

const joinedOpener =
  (present: SignIn | undefined): OpenJoined<JoinedSignIn> =>
  async (ctx, { accountId, userId, email }, proof) => {
    const { tenantId } = ctx
    if (proof.kind === 'session') {
      if (!present || !(await useSignIn(ctx, present))) throw tokenInvalid()
      return { tenantId, signIn: undefined }
    }
    if (proof.kind === 'new') await keepDevice(ctx, accountId)
    const account = { id: accountId, email }
    const brought = proof.kind === 'new' ? proof.brought : undefined
    const amr = [brought ? await addIdentity(ctx, account, brought) : 'pwd']
    await requireReach(ctx, { userId, tenantId }, amr, undefined)
    const proved = { account, amr }
    return { tenantId, signIn: await signInOpener(present)(ctx, proved) }
  }

const pages = { invitation: '/sign-in/accept-invitation', sign_up: '/sign-in/sign-up' } as const

/**
 * Opens the interaction of a mailed link, in which a provider can bring its person. Throws 400 for a spent or expired
 * link.
 */
export const openForLink = async (
  ctx: Ctx,
  cookies: BrowserCookies,
  { kind, token }: OpenForLink,
): Promise<OpenedInteraction> => {
  await countSource(ctx)
  const { email, isMailed } = await (kind === 'invitation' ? getInvited : getSigningUp)(ctx, token)
  const { id: applicationId, client_id: clientId } = consoleClient
  const request = {
    applicationId,
    clientId,
    redirectUri: consoleClient.home_url,
    responseMode: 'query',
    scopes: [],
    prompt: [],
    needsMfa: false,
    loginHint: email,
    tenant: '',
  } as const
  return openInteraction(ctx, { ...request, scopes: [], prompt: [] }, cookies.browser, {
    link: { page: pages[kind], email, isMailed },
  })
}

/** The person whom a provider brought for the link of an interaction. Throws 404 if there is none. */
const findBrought = async (
  ctx: Ctx,
  cookies: BrowserCookies,
  id: string | undefined,
): Promise<BroughtPerson | undefined> => {
  if (id === undefined) return undefined
  const { link } = (await readState(ctx, { id, cookies })).progress
  if (!link?.person) throw interactionUnknown()
  return link.person
}

export interface JoinResult {
  joined: JoinedHere
  /** The new cookie of the sign-in. */
  cookie: string | undefined
}

const finishJoining = async (ctx: Ctx, opened: Joined<JoinedSignIn>): Promise<JoinResult> => {
  if (isSecondStep(opened)) {
    return { joined: { tenant_id: null, second_step: describeSecondStep(ctx, opened) }, cookie: undefined }
  }
  const { tenantId, signIn } = opened
  if (signIn?.replaced) await endSignIn(ctx, signIn.replaced)
  return { joined: { tenant_id: tenantId, second_step: null }, cookie: signIn?.cookie }
}

/** Accepts an invitation. Throws as `acceptInvitation` does. */
export const acceptInvitationHere = async (
  ctx: Ctx,
  cookies: BrowserCookies,
  { interaction, ...input }: AcceptInvitation,
): Promise<JoinResult> => {
  const present = await findOwnSignIn(ctx, cookies)
  const reader = await asReader(ctx, present)
  const brought = await findBrought(ctx, cookies, interaction)
  return finishJoining(ctx, await acceptInvitationTo(reader, { ...input, brought }, joinedOpener(present)))
}

/** Creates the organization of a link. Throws as `confirmSignUp` does. */
export const confirmSignUpHere = async (
  ctx: Ctx,
  cookies: BrowserCookies,
  { interaction, ...input }: ConfirmSignUp,
): Promise<JoinResult> => {
  const present = await findOwnSignIn(ctx, cookies)
  const reader = await asReader(ctx, present)
  const brought = await findBrought(ctx, cookies, interaction)
  return finishJoining(ctx, await confirmSignUpTo(reader, { ...input, brought }, joinedOpener(present)))
}

/** Verifies the second factor of a person who has joined. Throws as `loginWithFactor` does. */
export const giveJoinedFactor = async (
  ctx: Ctx,
  cookies: BrowserCookies,
  input: LoginFactor,
): Promise<JoinResult> => {
  const present = await findSignIn(ctx, cookies.signIn)
  const opened = await proveByFactor(ctx, input, async (ctx, proved) => ({
    tenantId: proved.user.tenant_id,
    signIn: await signInOpener(present)(ctx, proved),
  }))
  return finishJoining(ctx, opened)
}
