import { useCallback, useEffect, useRef } from 'react'

/** Makes long work cancellable. `begin` returns the signal of the work. `stop` and leaving the page abort it. */
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
