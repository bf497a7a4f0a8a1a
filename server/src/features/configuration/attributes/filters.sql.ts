/** The part of a statement that filters by attributes. */
import sql, { join, raw, type Sql } from 'sql-template-tag'

export interface AttributeFilter {
  key: string
  folded: string
}

/** A row for each holder with the values of all filters. Its index has the holders of a value in order: PostgreSQL merges them. */
const holding = (table: string, id: string, [first, ...others]: AttributeFilter[]): Sql => sql`
  from ${raw(`${table} a0`)} ${join(
    [
      sql``,
      ...others.map(({ key, folded }, at) => {
        const name = `a${at + 1}`
        const isSame = `${name}.tenant_id = a0.tenant_id and ${name}.${id} = a0.${id}`
        return sql`join ${raw(`${table} ${name} on ${isSame} and ${name}.key`)} = ${key} and ${raw(name)}.folded = ${folded}`
      }),
    ],
    ' ',
  )}
  where a0.key = ${first?.key} and a0.folded = ${first?.folded}`

/** The users of a tenant that match all filters, of which there is at least one. */
export const usersWith = (tenantId: string, filters: AttributeFilter[]): Sql =>
  sql`select a0.user_id ${holding('user_attributes', 'user_id', filters)} and a0.tenant_id = ${tenantId}`

/** The tenants that match all filters, of which there is at least one. */
export const tenantsWith = (filters: AttributeFilter[]): Sql =>
  sql`select a0.tenant_id as id ${holding('tenant_attributes', 'tenant_id', filters)}`
