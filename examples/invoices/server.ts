/** A product of three routes. Tenantry decides about its callers: docs/protect-your-service.md walks through this file. */
import { createGuard, type Caller } from '@tenantry/client/guard'
import fastify from 'fastify'
import { createInvoice, findInvoice, listInvoices, type NewInvoice } from './invoices.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

const {
  TENANTRY_URL = 'http://localhost:8080',
  TENANTRY_KEY = '',
  TENANTRY_ISSUER,
  PORT = '3000',
} = process.env

const guard = createGuard({
  baseUrl: TENANTRY_URL,
  key: TENANTRY_KEY,
  ...(TENANTRY_ISSUER ? { issuer: TENANTRY_ISSUER } : {}), // when it is not the address above
})

const app = fastify()

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

const address = await app.listen({ port: Number(PORT), host: '127.0.0.1' })
process.stdout.write(`Invoices are ready at ${address}\n`)
