/** A product of five routes. Tenantry decides about its callers: docs/protect-your-service.md walks through this file. */
import { anyOf, createGuard, signedIn, type Caller } from '@tenantry/client/guard'
import fastify from 'fastify'
import { createInvoice, findInvoice, listCustomers, listInvoices, type NewInvoice } from './invoices.ts'
import { addPage } from './page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

const {
  TENANTRY_URL = 'http://localhost:8080',
  TENANTRY_KEY,
  TENANTRY_ISSUER,
  CLIENT_ID = '',
  PORT = '3000',
} = process.env

const guard = createGuard({
  baseUrl: TENANTRY_URL,
  key: TENANTRY_KEY,
  issuer: TENANTRY_ISSUER, // when it is not the address above
})

const app = fastify()

addPage(app, { authority: TENANTRY_ISSUER ?? TENANTRY_URL, client_id: CLIENT_ID })

app.get('/me', { onRequest: guard.fastify(signedIn()) }, async ({ caller }) => caller)

app.get(
  '/customers',
  { onRequest: guard.fastify(anyOf('invoice:read', 'invoice:create')) },
  async ({ caller }) => listCustomers(caller.tenantId),
)

app.get('/invoices', { onRequest: guard.fastify('invoice:read') }, async ({ caller }) =>
  listInvoices(caller.tenantId),
)

app.get<{ Params: { id: string } }>(
  '/invoices/:id',
  { onRequest: guard.fastify('invoice:read') },
  async ({ caller, params }, reply) =>
    findInvoice(caller.tenantId, params.id) ?? reply.code(404).send({ error: 'invoiceUnknown' }),
)

const newInvoice = {
  type: 'object',
  required: ['customer', 'cents'],
  properties: {
    customer: { type: 'string', minLength: 1, maxLength: 200 },
    cents: { type: 'integer', minimum: 1, maximum: 1e12 },
  },
}

app.post<{ Body: NewInvoice }>(
  '/invoices',
  { onRequest: guard.fastify('invoice:create'), schema: { body: newInvoice } },
  async ({ caller, body }, reply) =>
    createInvoice(caller.tenantId, caller.userId, body) ?? reply.code(409).send({ error: 'invoicesFull' }),
)

await app.listen({ port: Number(PORT), host: '127.0.0.1' })
process.stdout.write(`Invoices are ready at http://localhost:${PORT}\n`)
