import type { CreateNotification } from '@tenantry/client'
import { useState } from 'react'
import { isUnsure } from '../../components/error-text.ts'
import { useBulk } from '../../components/use-bulk.ts'
import { useRenewInbox } from '../../session/inbox.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { Recipient } from './recipients.views.tsx'

/** The outcome for one recipient. `unsure` means that no answer came, so the message may have arrived. */
export interface Outcome {
  recipient: Recipient
  status: 'waiting' | 'sent' | 'failed' | 'unsure'
  error?: unknown
}

const waitingOf = (outcomes: Outcome[]): Recipient[] =>
  outcomes.filter(({ status }) => status === 'waiting').map(({ recipient }) => recipient)

export const useSending = (message: Omit<CreateNotification, 'user_id'>) => {
  const { api } = useScope()
  const me = useMe()
  const renewInbox = useRenewInbox()
  const { state, run, stop } = useBulk<Recipient>()
  const [before, setBefore] = useState<Outcome[]>([])
  const turns = new Map(waitingOf(before).map(({ id }, turn) => [id, turn]))

  const outcomeOf = (one: Outcome): Outcome => {
    const turn = turns.get(one.recipient.id)
    if (turn === undefined || turn >= state.done) return one
    const failure = state.failures.find(({ item }) => item.id === one.recipient.id)
    if (!failure) return { ...one, status: 'sent' }
    return { ...one, status: isUnsure(failure.error) ? 'unsure' : 'failed', error: failure.error }
  }
  const outcomes = before.map(outcomeOf)

  const begin = async (next: Outcome[]): Promise<void> => {
    setBefore(next)
    const sent = await run(waitingOf(next), ({ id }) => api.notifications.create({ ...message, user_id: id }))
    if (sent.some(({ id }) => id === me.user.id)) await renewInbox()
  }

  return {
    outcomes,
    isRunning: state.isRunning,
    send: (recipients: Recipient[]): void =>
      void begin(recipients.map((recipient) => ({ recipient, status: 'waiting' }))),
    /** Skips recipients who may have received the message, so that no one gets it twice. */
    sendAgain: (): void =>
      void begin(
        outcomes.map(({ recipient, status }) => ({
          recipient,
          status: status === 'failed' ? 'waiting' : status,
        })),
      ),
    stop,
  }
}

export type Sending = ReturnType<typeof useSending>
