import { useCallback, useEffect, useRef } from 'react'

/** For work that takes a while: `begin` gives the signal of it, which `stop` aborts; so does leaving the page. */
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
