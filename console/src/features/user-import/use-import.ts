import { ApiError, type Client, type ImportResult } from '@tenantry/client'
import { errorOfRow } from '../../components/row-error.ts'
import { useState } from 'react'
import { isUnsure, useErrorText } from '../../components/error-text.ts'
import { generatePassword } from '../../components/new-password-field.tsx'
import { runEach } from '../../components/use-bulk.ts'
import { useList } from '../../components/use-list.ts'
import { useStop } from '../../components/use-stop.ts'
import { usePasswordRules } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useGiveRoles } from '../roles/roles.views.tsx'
import { importFields, type Draft, type ImportField, type ImportKind } from './drafts.ts'
import { useRenew } from '../../components/use-renew.ts'

/** `id` is that of the new user or invitation. `secret` is a generated password, or a link that was not mailed. */
interface CreatedRow {
  id: number
  secret: string
  /** The reason why a role of the row was not assigned; "" if all were. */
  refusal: string
}

/** The outcome of a row: its effect, or the reason of the failure. */
type Result = CreatedRow | { reason: string }

/** Results by the id of the draft. Rows that were not tried are absent. */
export type Results = ReadonlyMap<number, Result>

export interface ImportState {
  status: 'ready' | 'running' | 'done'
  total: number
  results: Results
}

const ready: ImportState = { status: 'ready', total: 0, results: new Map() }

/** The requests at once. The service hashes a password per row, so more requests would only wait there. */
const atOnce = 3

const isImported = (field: string): field is ImportField => importFields.includes(field as ImportField)

const useReason = () => {
  const { t } = useTranslation()
  const listOf = useList()
  const textOf = useErrorText()
  return (error: unknown): string => {
    if (isUnsure(error)) return t('userImport.unsure')
    const fields = error instanceof ApiError ? error.fields.map(({ field }) => field).filter(isImported) : []
    const names = listOf(fields.map((field) => t(`fields.${field}`)))
    return names === '' ? textOf(error) : t('userImport.refused', { names, reason: textOf(error) })
  }
}

/** The reason why leaving the page would lose something: running work, or unsaved secrets. */
export type LeaveRisk = 'running' | 'unsaved' | undefined

/** True if there are generated passwords or links, which only this page has. */
export const hasSecrets = (results: Results): boolean =>
  [...results.values()].some((result) => 'id' in result && result.secret !== '')

/** Sends a row, for kinds that need one request per row. */
const useSend = () => {
  const { api, tenantId } = useScope()
  const rules = usePasswordRules(tenantId)
  const giveRoles = useGiveRoles()
  const send: Record<Exclude<ImportKind, 'import'>, (draft: Draft) => Promise<CreatedRow>> = {
    create: async ({ user, roles }) => {
      const secret = user.password === '' ? generatePassword(rules) : ''
      const { id } = await api.users.create({ ...user, password: user.password || secret })
      const refusal = await giveRoles(
        id,
        roles.map((role) => String(role.id)),
      )
      return { id, secret, refusal: refusal ?? '' }
    },
    invite: async ({ user: { email, nickname = '' }, roles }) => {
      const role_ids = roles.map((role) => role.id)
      const { id, link } = await api.invitations.create({ email, nickname, role_ids })
      return { id, secret: link, refusal: '' }
    },
  }
  return send
}

/** Creates the users or invitations: in batches, or a few at a time. Leaving the page stops it. */
export const useImport = (kind: ImportKind) => {
  const send = useSend()
  const { api } = useScope()
  const { t } = useTranslation()
  const renew = useRenew()
  const reasonOf = useReason()
  const { begin, stop } = useStop()
  const [state, setState] = useState<ImportState>(ready)

  const run = async (drafts: Draft[]): Promise<Results> => {
    const signal = begin()
    const results = new Map<number, Result>()
    const show = (status: ImportState['status']): void =>
      setState({ status, total: drafts.length, results: new Map(results) })
    const resultOf = (outcome: Outcome): Result => {
      if (outcome === undefined) return { reason: t('userImport.emailExists') }
      return 'id' in outcome
        ? { id: outcome.id, secret: '', refusal: '' }
        : { reason: reasonOf(outcome.error) }
    }
    const onBatch = (outcomes: [Draft, Outcome][]): void => {
      for (const [{ id }, outcome] of outcomes) results.set(id, resultOf(outcome))
      show('running')
    }
    const onSettled = ({ id }: Draft, error: unknown): void => {
      if (error !== undefined) results.set(id, { reason: reasonOf(error) })
      show('running')
    }
    show('running')
    if (kind === 'import') {
      await sendBatches(api, drafts, { signal, onBatch })
    } else {
      const sendOne = async (draft: Draft): Promise<void> => {
        results.set(draft.id, await send[kind](draft))
      }
      await runEach(drafts, sendOne, { atOnce, signal, onSettled })
    }
    show('done')
    // The page does not wait for the refresh of the lists, because the work has ended.
    void renew()
    return results
  }

  return { state, run, stop }
}

/** Rows per request. For most callers, the rate limit counts each row. */
const batchRows = 100
/** The window of the rate limit. */
const pauseMs = 60_000

/** The outcome of a row that needs no further attempt: the user's id, or the error. Undefined for an existing user. */
type Outcome = { id: number } | { error: unknown } | undefined

interface SendBatches {
  signal: AbortSignal
  onBatch: (outcomes: [Draft, Outcome][]) => void
}

const rowOf = ({ user: { email, username, nickname = '', status = 1 }, roles }: Draft) => ({
  email,
  ...(username !== '' && { username }),
  nickname,
  status,
  role_ids: roles.map(({ id }) => id),
})

const outcomeOf = ({ status, user_id: id, error }: ImportResult): Outcome => {
  const refused = errorOfRow(error)
  if (refused) return { error: refused }
  return status === 'created' ? { id } : undefined
}

const sendBatch = (api: Client, drafts: Draft[]): Promise<Outcome[]> =>
  api.users.import({ rows: drafts.map(rowOf) }).then(
    ({ results }) => results.map(outcomeOf),
    (error: unknown) => drafts.map(() => ({ error })),
  )

const isTooEarly = (outcome: Outcome): boolean =>
  outcome !== undefined &&
  'error' in outcome &&
  outcome.error instanceof ApiError &&
  outcome.error.reason === 'tooManyRequests'

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Sends rows in batches. Rows beyond the caller's rate limit wait, and are sent again. A failure does not stop the
 * other rows.
 */
const sendBatches = async (api: Client, drafts: Draft[], { signal, onBatch }: SendBatches): Promise<void> => {
  let waiting = drafts
  while (waiting.length > 0 && !signal.aborted) {
    const batch = waiting.slice(0, batchRows)
    const outcomes = await sendBatch(api, batch)
    const pairs = batch.map((draft, index): [Draft, Outcome] => [draft, outcomes[index]])
    const early = pairs.filter(([, outcome]) => isTooEarly(outcome)).map(([draft]) => draft)
    onBatch(pairs.filter(([, outcome]) => !isTooEarly(outcome)))
    waiting = [...early, ...waiting.slice(batchRows)]
    if (early.length > 0) await pause(signal)
  }
}
