import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { patiently, permissionIds } from '../../attack.ts'
import { newTenant, ok, openedBy, request, unique, type Answer, type Session } from '../../../lab/client.ts'
import { moveClock, movedBy } from '../../clock.ts'
import { mailedToken, smtpMailbox, type Mailbox } from '../../mailbox.ts'
import { startReplica } from '../../../lab/replica.ts'
import { ownStores, ownTarget, type Target } from '../../target.ts'
import { startProvider, type Provider } from '../sso/provider.ts'

export type Tenant = Awaited<ReturnType<typeof newTenant>>

/** An installation of the suite's own. It sends e-mails, limits guesses, and its clock can be set ahead. */
export interface Stage {
  short: boolean
  env: Record<string, string>
  /** For files of a proof. */
  folder: string
  /** Another installation. */
  elsewhere: Pick<Target, 'root' | 'env'>
  /** Two replicas on services. */
  urls: string[]
  root: Session
  mailbox: Mailbox
  home: Tenant
  other: Tenant
  /** Ids of all permissions by code. */
  permissions: Map<string, number>
  /** Sets the clock of the first replica ahead. */
  setAhead(seconds: number): Promise<void>
  /** The whole log of the first replica. */
  log: string[]
}

/** Links begin with it, and passkeys belong to it. */
export const publicUrl = 'https://people.example.com'

export const codes = {
  linkDead: 40018,
  passkeyInvalid: 40021,
  newPasswordNeeded: 40026,
  credentialsWrong: 40103,
  factorWrong: 40109,
  challengeDead: 40110,
  linkOfAnother: 40313,
  sessionRestricted: 40315,
  mfaRequired: 40316,
  invitationOfAnother: 40318,
  emailOfPerson: 40319,
  factorUnknown: 40415,
  emailTaken: 40901,
  tooManyCodes: 42904,
}

export const password = 'a proof of Tenantry'
export const otherPassword = 'another proof of Tenantry'

export const newAddress = (): string => `${unique('person')}@example.com`

/** Runs the proofs on an installation of their own; `settings` are further ones. */
export const withStage = async (
  target: Pick<Target, 'kind' | 'short' | 'root' | 'env'>,
  work: (stage: Stage) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> => {
  const [stores, folder] = [await ownStores(target.kind), await mkdtemp(join(tmpdir(), 'tenantry-prove-'))]
  const clock = join(folder, 'clock')
  const mailbox = await smtpMailbox()
  const env = {
    ...stores.env,
    ...mailbox.env,
    ...settings,
    NODE_OPTIONS: `${movedBy(clock)} ${settings['NODE_OPTIONS'] ?? ''}`,
    TENANTRY_PUBLIC_URL: publicUrl,
    TENANTRY_RATE_LIMIT: 'on',
    TENANTRY_REQUESTS_PER_MINUTE: '1000000',
    TENANTRY_TRUSTED_PROXIES: '127.0.0.1',
  }
  try {
    const own = await ownTarget({ ...stores, env }, target.short)
    try {
      const second = target.kind === 'services' ? await startReplica(env) : undefined
      const { root, replica } = own
      try {
        await work({
          short: target.short,
          env,
          folder,
          elsewhere: target,
          urls: [own.url, ...(second ? [second.url] : [])],
          root,
          mailbox,
          home: await newTenant(root),
          other: await newTenant(root),
          permissions: await permissionIds(root, root.tenantId),
          setAhead: (seconds) => moveClock(replica, clock, seconds),
          log: replica.log,
        })
      } finally {
        await second?.stop()
      }
    } finally {
      await own.close()
    }
  } finally {
    await mailbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the proofs as `withStage` does, with a provider of OpenID Connect at loopback. */
export const withProvider = (
  target: Parameters<typeof withStage>[0],
  work: (stage: Stage, provider: Provider) => Promise<void>,
): Promise<void> =>
  withStage(
    target,
    async (stage) => {
      const provider = await startProvider()
      try {
        await work(stage, provider)
      } finally {
        await provider.stop()
      }
    },
    { TENANTRY_SSO_PRIVATE_HOSTS: '127.0.0.1' },
  )

let requests = 0

/** An address that no other request comes from. */
export const newSource = (): string => {
  requests += 1
  return `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`
}

/** The replica for the present source. Consecutive sources use different replicas. */
export const nextUrl = ({ urls }: Pick<Stage, 'urls'>): string => urls[requests % urls.length] ?? ''

/** The breach of an answer that is not this error. */
export const unlessCode = (what: string, { status, body }: Answer, code: number): string[] =>
  body?.code === code ? [] : [`${what} answers ${status} ${body?.code}`]

/** Sends a request without a session, each from a source of its own, to one replica after the other. */
export const anyone = (
  stage: Pick<Stage, 'urls'>,
  path: string,
  body: object,
  token?: string,
): Promise<Answer> => {
  const headers = { 'x-forwarded-for': newSource() }
  return request(nextUrl(stage), 'POST', `/api/v1${path}`, { body, headers, token })
}

export const logIn = (stage: Stage, email: string, given: string): Promise<Answer> =>
  anyone(stage, '/auth/login', { email, password: given })

/** Signs in by only the password. */
export const openSession = async (stage: Stage, email: string, given = password): Promise<Session> =>
  openedBy(stage.urls[0] ?? '', ok(await logIn(stage, email, given)), { email, password: given })

export const forgot = (stage: Stage, email: string): Promise<Answer> =>
  anyone(stage, '/auth/password/forgot', { email })

export const reset = (stage: Stage, token: string, given = otherPassword): Promise<Answer> =>
  anyone(stage, '/auth/password/reset', { token, new_password: given })

/** The token of a mailed link to a new password. */
export const resetToken = async (stage: Stage, email: string, used?: string): Promise<string> => {
  ok(await forgot(stage, email))
  return mailedToken(stage.mailbox, email, 'reset-password', used)
}

/** Registers as anybody may. Nobody has proved the mailbox then. */
export const register = async (stage: Stage, email = newAddress()): Promise<Session> => {
  ok(await anyone(stage, '/auth/register', { email, username: unique('r'), password }))
  return openSession(stage, email)
}

/** Invites an address, and resolves with the token that was mailed. */
export const invite = async (
  { mailbox }: Pick<Stage, 'mailbox'>,
  by: Session,
  body: { email: string; role_ids?: number[] },
  used?: string,
): Promise<string> => {
  ok(await patiently(() => by.call('POST', '/invitations', body)))
  return mailedToken(mailbox, body.email, 'accept-invitation', used)
}

/** Accepts an invitation under a new username. */
export const accept = (
  stage: Pick<Stage, 'urls'>,
  token: string,
  body: object = {},
  by?: Session,
): Promise<Answer> =>
  anyone(stage, '/auth/invitations/accept', { token, username: unique('i'), password, ...body }, by?.token)

/** A person whose account has an owner, signed in to a tenant. */
export const newPerson = async (
  stage: Pick<Stage, 'urls' | 'mailbox'> & { home: Pick<Tenant, 'admin'> },
  { admin }: Pick<Tenant, 'admin'> = stage.home,
): Promise<Session> => {
  const email = newAddress()
  const pair = ok(await accept(stage, await invite(stage, admin, { email })))
  return openedBy(stage.urls[0] ?? '', pair, { email, password })
}

/** Makes such a person a user of another tenant as well; resolves with a session there, of a sign-in of its own. */
export const joinTenant = async (
  stage: Pick<Stage, 'urls' | 'mailbox'>,
  { email, password: given }: Session,
  { admin }: Pick<Tenant, 'admin'>,
): Promise<Session> => {
  const used = await mailedToken(stage.mailbox, email, 'accept-invitation')
  const token = await invite(stage, admin, { email }, used)
  const pair = ok(await accept(stage, token, { password: given }))
  return openedBy(stage.urls[0] ?? '', pair, { email, password: given })
}
