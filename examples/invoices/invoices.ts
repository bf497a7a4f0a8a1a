/** The product's data, in memory: a restart forgets it. With a database, each statement names the tenant in the same way. */
import { randomUUID } from 'node:crypto'

export interface NewInvoice {
  customer: string
  cents: number
}

export interface Invoice extends NewInvoice {
  id: string
  createdBy: number
}

/** Memory is bounded: a tenant writes no more invoices. */
const invoicesMax = 1000

const byTenant = new Map<string, Map<string, Invoice>>()

const invoicesOf = (tenantId: string): Map<string, Invoice> =>
  byTenant.get(tenantId) ?? new Map<string, Invoice>()

export const listInvoices = (tenantId: string): Invoice[] => [...invoicesOf(tenantId).values()]

/** Each customer of the invoices once. */
export const listCustomers = (tenantId: string): string[] => [
  ...new Set(listInvoices(tenantId).map(({ customer }) => customer)),
]

/** Undefined also for an invoice of another tenant. */
export const findInvoice = (tenantId: string, id: string): Invoice | undefined => invoicesOf(tenantId).get(id)

/** Undefined when the tenant has the most invoices that it may have. */
export const createInvoice = (
  tenantId: string,
  createdBy: number,
  { customer, cents }: NewInvoice,
): Invoice | undefined => {
  const invoices = invoicesOf(tenantId)
  if (invoices.size >= invoicesMax) return undefined
  const invoice = { id: randomUUID(), customer, cents, createdBy }
  byTenant.set(tenantId, invoices.set(invoice.id, invoice))
  return invoice
}
