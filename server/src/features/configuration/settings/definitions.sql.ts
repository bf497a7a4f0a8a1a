/** The part of a statement that reads a declaration. */
import sql from 'sql-template-tag'
import { isoTime } from '../../../db/columns.ts'
import type { Scope } from './definitions.schemas.ts'
import type { SettingSchema } from '../../../values/schema-subset.ts'

export interface StoredDefinition {
  key: string
  schema: SettingSchema
  /** Null without a default. */
  default_value: unknown
  scopes: Scope[]
  is_secret: boolean
  is_public: boolean
  is_locked: boolean
  label: string
  description: string
  group_name: string
  updated_at: string
}

export const definitionColumns = sql`key, schema, default_value, scopes, is_secret, is_public, is_locked, label, description, group_name,
  ${isoTime('updated_at')} as updated_at`
