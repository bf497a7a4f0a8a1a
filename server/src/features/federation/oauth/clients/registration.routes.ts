import type { App } from '../../../../http/app-type.ts'
import type { ClientGate } from './client-authentication.service.ts'
import { RegisterClient, RegisteredClient } from './registration.schemas.ts'
import { registerClient } from './registration.service.ts'

export const registrationRoutes = (app: App, gate: ClientGate): void => {
  app.post(
    '/register',
    {
      config: { refuses: ['access_denied', 'invalid_client_metadata', 'invalid_redirect_uri'] },
      schema: {
        operationId: 'registerClient',
        tags: ['sign-in'],
        summary: 'Register a client by itself',
        description:
          'RFC 7591, where `TENANTRY_CLIENT_REGISTRATION` is `open`. The client is public and third-party, and has to name ' +
          'a resource.',
        body: RegisterClient,
        response: { 201: RegisteredClient },
      },
    },
    async ({ ctx, body }, reply) => reply.code(201).send(await registerClient(gate, ctx, body)),
  )
}
