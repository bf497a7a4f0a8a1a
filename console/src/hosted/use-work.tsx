import type { AuthOptions } from '@tenantry/client'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useTranslation } from '../translation.ts'
import { isReason } from './send.ts'

/** The field that proves the work of the browser; absent where none is asked for. */
interface Work {
  altcha?: string
}

type Pending = RefObject<Promise<string> | undefined>

const prepare = (pending: Pending): void => {
  const next = begin()
  pending.current = next
  // The submission tries again, and shows the failure.
  next.catch(() => {
    if (pending.current === next) pending.current = undefined
  })
}

const begin = async (): Promise<string> => (await import('./work.ts')).work()

/**
 * Works while the person types, where the installation asks for it. `withWork` sends a form with the result. It works
 * once more if the service does not take it, because it was too old.
 */
export const useWork = (options: AuthOptions | undefined) => {
  const isAsked = options?.robots === 'proof_of_work'
  const pending = useRef<Promise<string> | undefined>(undefined)
  const [isWorking, setWorking] = useState(false)

  useEffect(() => {
    if (isAsked) prepare(pending)
  }, [isAsked])

  const take = async (next: Promise<string>): Promise<string> => {
    pending.current = undefined
    setWorking(true)
    try {
      return await next
    } finally {
      setWorking(false)
    }
  }

  const withWork = async <T,>(submit: (work: Work) => Promise<T>): Promise<T> => {
    const prepared = pending.current
    return submit(prepared ? { altcha: await take(prepared) } : {})
      .catch(async (err: unknown) => {
        if (!isReason(err, 'workNeeded')) throw err
        return submit({ altcha: await take(begin()) })
      })
      .catch((err: unknown) => {
        // A challenge counts once, also for a form with a fault.
        if (isAsked) prepare(pending)
        throw err
      })
  }

  return { withWork, isWorking }
}

/** Says what the person waits for. */
export const Working = ({ isWorking }: { isWorking: boolean }) => {
  const { t } = useTranslation()
  return (
    <p role="status" className="dimmed">
      {isWorking ? t('hosted.working') : ''}
    </p>
  )
}
