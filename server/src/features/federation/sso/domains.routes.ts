import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing } from '../../../http/schemas.ts'
import { CreateDomain, Domain, LookedAtDomain } from './domains.schemas.ts'
import { createDomain, deleteDomain, listDomains, verifyDomain } from './domains.service.ts'

const tags = ['sso']

/** The required rank: a person who controls sign-in can become any user of the tenant. */
const rank = 'Needs every permission that a user of the tenant can hold. Other managers are notified.'

export const domainRoutes = (app: App): void => {
  app.get(
    '/domains',
    {
      config: { allow: 'sso:read', support: 'view', guests: 'domains' },
      schema: {
        operationId: 'listDomains',
        tags,
        summary: 'List domains',
        description: 'All domains of the tenant in scope, ordered by id; at most 20.',
        response: { 200: List(Domain) },
      },
    },
    ({ ctx }) => listDomains(ctx),
  )
  app.post(
    '/domains',
    {
      config: {
        allow: 'sso:manage',
        guests: 'domains',
        fails: ['domainsFull', 'domainPublic', 'domainThere', 'targetOutranksCaller', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'createDomain',
        tags,
        summary: 'Add a domain',
        description: `The answer has the TXT record that proves it. ${rank}`,
        body: CreateDomain,
        response: { 200: Domain },
      },
    },
    ({ ctx, body }) => createDomain(ctx, body),
  )
  app.post(
    '/domains/:id/verify',
    {
      config: {
        allow: 'sso:manage',
        guests: 'domains',
        fails: ['domainUnknown', 'domainOfAnother', 'targetOutranksCaller', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'verifyDomain',
        tags,
        summary: 'Look for the record of a domain now',
        description: `Answers within 5 seconds, with the status after the look; 20 a minute for a tenant. ${rank}`,
        params: IdParams,
        response: { 200: LookedAtDomain },
      },
    },
    ({ ctx, params }) => verifyDomain(ctx, params.id),
  )
  app.delete(
    '/domains/:id',
    {
      config: {
        allow: 'sso:manage',
        guests: 'domains',
        fails: ['domainUnknown', 'targetOutranksCaller', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'deleteDomain',
        tags,
        summary: 'Delete a domain',
        description: `It is free for other tenants at once. ${rank}`,
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteDomain(ctx, params.id),
  )
}
