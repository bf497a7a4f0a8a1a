/**
 * A consent is stored under the lock of the catalogue. A change that ends consents either commits before that, or ends
 * the consent.
 */
import { beforeAll, expect, test } from 'vitest'
import { requestFor } from '../../../../../test/browser.ts'
import {
  newTenant,
  ok,
  platformAdmin,
  unique,
  type Caller,
  type Tenant,
} from '../../../../../test/factories.ts'
import {
  newApplication,
  newResource,
  newSignIn,
  redirectUri,
  type BrowserSignIn,
  type TestApplication,
} from '../../../../../test/front-door.ts'
import { parts, type Answer } from '../../../../../test/harness.ts'
import { systemCtx } from '../../../../start/parts.ts'
import { findClient } from '../../applications/clients.service.ts'
import { issueCode } from './authorization-code.service.ts'
import { completeState } from './interactions.service.ts'
import { consentKeyOf, findNextStep, type DoneStep } from './next-step.service.ts'
import { findSignIn } from '../browser/sign-ins.service.ts'
import type { InteractionState } from './interaction-state.ts'

let tenant: Tenant
beforeAll(async () => {
  tenant = await newTenant()
})

interface Scene {
  user: Caller
  signIn: BrowserSignIn
  application: TestApplication
  resource: { id: number; identifier: string }
}

const newScene = async (): Promise<Scene> => {
  const [user, resource] = [await tenant.member(), await newResource([])]
  const application = await newApplication({ is_third_party: true, resource_ids: [resource.id] })
  return { user, resource, application, signIn: await newSignIn(user) }
}

/** An interaction after its last step, before its code. */
const answered = async ({ application, resource, signIn: { cookie } }: Scene) => {
  const ctx = systemCtx(parts, 'test')
  const [client, signIn] = [await findClient(ctx, application.clientId), await findSignIn(ctx, cookie)]
  if (!client || !signIn) throw new Error('the client or the sign-in is missing')
  const request: InteractionState['request'] = {
    applicationId: client.id,
    clientId: client.client_id,
    redirectUri,
    responseMode: 'query',
    codeChallenge: String(requestFor(application).params['code_challenge']),
    scopes: ['openid'],
    resource,
    prompt: [],
    needsMfa: false,
    loginHint: '',
    tenant: '',
  }
  const begunAt = parts.now()
  const asked = await completeState(ctx, { request, client, progress: {}, version: 0, signIn, begunAt })
  const question = await findNextStep(ctx, asked)
  if (question.step !== 'consent') throw new Error(`the step is ${question.step}`)
  const allowedFor = consentKeyOf(signIn, question.member, question.access)
  const state = { ...asked, progress: { allowedFor } }
  return { state, ready: (await findNextStep(ctx, state)) as DoneStep }
}

const consentsTo = async ({ id }: TestApplication): Promise<unknown[]> =>
  ok(await tenant.admin.get(`/grants?application_id=${id}`)).items

test('an authorization whose questions are answered keeps its consent and gets its code', async () => {
  const scene = await newScene()
  const { state, ready } = await answered(scene)
  expect(await issueCode(state, ready)).toMatch(/^[\w-]{43}$/)
  expect(await consentsTo(scene.application)).toHaveLength(1)
})

const root = () => platformAdmin()

test.each<[string, (scene: Scene) => Promise<Answer>]>([
  ['a resource is deleted', async ({ resource }) => (await root()).delete(`/resources/${resource.id}`)],
  [
    'a resource gets another identifier',
    async ({ resource }) =>
      (await root()).put(`/resources/${resource.id}`, { identifier: `https://${unique('r')}.example.com/` }),
  ],
  [
    'the application loses the resource',
    async ({ application }) => (await root()).put(`/applications/${application.id}`, { resource_ids: [] }),
  ],
  [
    'the application loses the tenant',
    async ({ application }) => (await root()).put(`/applications/${application.id}`, { tenant_ids: [] }),
  ],
  [
    'the application is disabled',
    async ({ application }) => (await root()).put(`/applications/${application.id}`, { status: 0 }),
  ],
  [
    'the application is deleted',
    async ({ application }) => (await root()).delete(`/applications/${application.id}`),
  ],
  ['the user is disabled', async ({ user }) => tenant.admin.put(`/users/${user.userId}`, { status: 0 })],
  ['the user is removed', async ({ user }) => tenant.admin.delete(`/users/${user.userId}`)],
  ['the sign-in ends', async ({ user, signIn }) => user.delete(`/auth/sessions/${signIn.id}`)],
])('no consent is kept and no code given when %s in the same moment', async (_what, act) => {
  const scene = await newScene()
  const { state, ready } = await answered(scene)
  ok(await act(scene))
  await expect(issueCode(state, ready)).rejects.toMatchObject({ error: 'access_denied' })
  expect(await consentsTo(scene.application)).toEqual([])
})
