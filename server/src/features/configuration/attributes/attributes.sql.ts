/** The part of a statement that reads the declaration of an attribute. */
import sql from 'sql-template-tag'
import type { SchemaObject } from '../../../values/schema-subset.ts'
import type { Attribute } from './attributes.schemas.ts'

export interface StoredAttribute extends Omit<Attribute, 'schema'> {
  schema: SchemaObject
}

export const attributeColumns = sql`subject, key, schema, label, description, group_name as group, self_access as self, administrators,
  is_indexed as indexed, is_sensitive as sensitive, claim, scim`
