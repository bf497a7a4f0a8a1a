import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { ProviderConfig, ProviderKind } from './provider-config.ts'

/** The fields of a provider that a sign-in needs. */
export interface AttemptProvider {
  id: string
  slug: string
  kind: ProviderKind
  name: string
  status: 'draft' | 'active' | 'disabled'
  config: ProviderConfig
  allow_new: boolean
  updated_at: string
  sealed: Buffer
}

export const selectAttemptProvider = (db: Db, slug: string) =>
  db.one<AttemptProvider>(sql`
    select id, slug, kind, name, status, config, allow_new, ${isoTime('updated_at')} as updated_at, sealed
    from providers where slug = ${slug}`)

/** The purpose of an attempt: a sign-in of an interaction, an identity for the account of a session, or a test. */
export interface AttemptPurpose {
  purpose: 'sign_in' | 'add' | 'test'
  interaction_id: string | null
  account_id: number | null
  session_id: string | null
}

export interface NewAttempt extends AttemptPurpose {
  stateHash: Buffer
  providerId: string
  browserHash: Buffer
  expiresAt: Date
}

export const insertAttempt = (db: Db, row: NewAttempt) =>
  db.run(sql`
    insert into provider_attempts (state_hash, provider_id, browser_hash, purpose, interaction_id, account_id, session_id,
      expires_at)
    values (${row.stateHash}, ${row.providerId}, ${row.browserHash}, ${row.purpose}, ${row.interaction_id},
      ${row.account_id}, ${row.session_id}, ${row.expiresAt})`)

interface OpenAttempt {
  providerId: string
  stateHash: Buffer
  browserHash: Buffer
  now: Date
}

const purpose = sql`purpose, interaction_id, account_id, session_id`

/** Deletes an open attempt of a browser, and returns it. Only the first of two answers finds it. */
export const deleteAttempt = (db: Db, open: OpenAttempt) =>
  db.one<AttemptPurpose>(sql`
    delete from provider_attempts
    where state_hash = ${open.stateHash} and provider_id = ${open.providerId} and browser_hash = ${open.browserHash}
      and handle_hash is null and expires_at > ${open.now}
    returning ${purpose}`)

/** Keeps a posted answer under a handle until its browser asks for it. Returns 0 for a second answer. */
export const updateKept = (
  db: Db,
  {
    providerId,
    stateHash,
    ...kept
  }: { providerId: string; stateHash: Buffer; handleHash: Buffer; answer: string; now: Date; until: Date },
) =>
  db.run(sql`
    update provider_attempts
    set handle_hash = ${kept.handleHash}, answer = ${kept.answer}, expires_at = ${kept.until}
    where state_hash = ${stateHash} and provider_id = ${providerId} and handle_hash is null and expires_at > ${kept.now}`)

/** Deletes the attempt of a kept answer, and returns both. */
export const deleteKept = (
  db: Db,
  kept: { providerId: string; handleHash: Buffer; browserHash: Buffer; now: Date },
) =>
  db.one<AttemptPurpose & { answer: string }>(sql`
    delete from provider_attempts
    where handle_hash = ${kept.handleHash} and provider_id = ${kept.providerId} and browser_hash = ${kept.browserHash}
      and expires_at > ${kept.now}
    returning ${purpose}, answer`)

/** Stores a passed test, unless the provider has changed since it was read. */
export const updateTested = (
  db: TransactionDb,
  { id, updated_at: readAt }: AttemptProvider,
  now: Date,
): void =>
  db.send(sql`
    update providers set tested_at = ${now}
    where id = ${id} and date_trunc('milliseconds', updated_at) = ${readAt}::timestamptz`)
