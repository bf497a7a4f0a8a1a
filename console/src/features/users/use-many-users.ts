import type { User } from '@tenantry/client'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useBulk } from '../../components/use-bulk.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewUsers } from './users.queries.ts'

/** The last Undo notification. Another action removes it, and so does leaving the page. */
const useOffer = () => {
  const notify = useNotify()
  const takeBack = useRef(() => {})
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
      takeBack.current()
    }
  }, [])
  const offer = (message: string, label: string, run: () => void): void => {
    takeBack.current = notify(message, isShown.current ? { label, run } : undefined)
  }
  return { offer, withdraw: () => takeBack.current() }
}

/** Sets the status of users who have the other one; those changed elsewhere meanwhile are not counted. */
const useChange = (bulk: ReturnType<typeof useBulk<User>>) => {
  const { api } = useScope()
  const renew = useRenewUsers()
  return async (users: User[], status: 0 | 1) => {
    const changed: User[] = []
    const done = await bulk.run(users, async (user) => {
      const now = await api.users.get(user.id)
      if (now.status === status) return
      await api.users.update(user.id, { status })
      changed.push(user)
    })
    void renew()
    return { done, changed }
  }
}

/** Runs the same for many users. Each action resolves to the users it changed. */
export const useManyUsers = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  const bulk = useBulk<User>()
  const change = useChange(bulk)
  const { offer, withdraw } = useOffer()

  const say = (status: 0 | 1, { length: count }: User[]): string =>
    t(status === 1 ? 'users.enabled' : 'users.disabled', { count })

  const undo = async (users: User[], status: 0 | 1): Promise<void> => {
    const { done, changed } = await change(users, status)
    if (done.length > 0) notify(say(status, changed))
  }

  const setStatus = async (users: User[], status: 0 | 1): Promise<User[]> => {
    withdraw()
    const { done, changed } = await change(users, status)
    if (changed.length > 0) {
      offer(say(status, changed), t('common.undo'), () => void undo(changed, status === 1 ? 0 : 1))
    } else if (done.length > 0) notify(say(status, changed))
    return done
  }

  const remove = async (users: User[]): Promise<User[]> => {
    withdraw()
    const done = await bulk.run(users, ({ id }) => api.users.delete(id))
    void renew()
    if (done.length > 0) notify(t('users.deleted', { count: done.length }))
    return done
  }

  return { bulk, setStatus, remove }
}
