import { useCallback, useEffect, useRef } from 'react'

/** Cancels long work: `begin` returns its signal. `stop` and leaving the page abort it. */
export const useStop = () => {
  const controller = useRef<AbortController>(undefined)
  const stop = useCallback(() => controller.current?.abort(), [])
  useEffect(() => stop, [stop])
  const begin = (): AbortSignal => {
    controller.current = new AbortController()
    return controller.current.signal
  }
  return { begin, stop }
}
