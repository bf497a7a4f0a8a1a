import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CreateBroadcast, Sending } from '@tenantry/client'
import { useState } from 'react'
import { useStop } from '../../components/use-stop.ts'
import { useRenewInbox } from '../../session/inbox.ts'
import { useScope } from '../../session/scope.ts'

/**
 * Sends a broadcast batch by batch, until all have it, a batch fails or the user stops it. It can be continued later.
 */
export const useBroadcast = (begun?: Sending) => {
  const { api, tenantId } = useScope()
  const queries = useQueryClient()
  const renewInbox = useRenewInbox()
  const { begin, stop } = useStop()
  const [sending, setSending] = useState(begun)
  const sendAll = useMutation({
    mutationFn: async (start: Sending | CreateBroadcast) => {
      const signal = begin()
      let current = 'id' in start ? start : await api.notifications.broadcast(start)
      setSending(current)
      while (!current.is_done && !signal.aborted) {
        current = await api.notifications.sendBatch(current.id)
        setSending(current)
      }
    },
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: ['sent', tenantId] }), renewInbox()]),
  })
  return {
    sending,
    isRunning: sendAll.isPending,
    error: sendAll.error,
    begin: (message: CreateBroadcast): void => sendAll.mutate(message),
    goOn: (): void => {
      if (sending) sendAll.mutate(sending)
    },
    stop,
  }
}

export type Broadcasting = ReturnType<typeof useBroadcast>
