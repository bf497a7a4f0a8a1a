import { ApiError, errorCodes, type Client, type ErrorReason, type ImportResult } from '@tenantry/client'
import type { Draft } from './drafts.ts'

/** Rows per request. For most callers, the rate limit counts each row. */
const batchRows = 100
/** The window of the rate limit. */
const pauseMs = 60_000

/** The outcome of a row that needs no further attempt: the user's id, or the error. Undefined for an existing user. */
export type Outcome = { id: number } | { error: unknown } | undefined

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

const reasonOf = (code: number): ErrorReason =>
  (Object.entries(errorCodes).find(([, known]) => known === code)?.[0] as ErrorReason | undefined) ??
  'unknown'

const errorOf = ({ code, message, field }: NonNullable<ImportResult['error']>): ApiError =>
  new ApiError({
    status: Math.floor(code / 100),
    code,
    reason: reasonOf(code),
    message,
    fields: field === '' ? [] : [{ field, message }],
  })

const outcomeOf = ({ status, user_id: id, error }: ImportResult): Outcome => {
  if (error) return { error: errorOf(error) }
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
 * Sends rows in batches. Rows beyond the caller's rate limit wait and are sent again. A failure does not stop the
 * rest.
 */
export const sendBatches = async (
  api: Client,
  drafts: Draft[],
  { signal, onBatch }: SendBatches,
): Promise<void> => {
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
