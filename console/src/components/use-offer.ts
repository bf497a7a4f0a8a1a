import { useEffect, useRef } from 'react'
import { useNotify } from './use-notify.ts'

/** The last Undo notification. The next action removes it, and so does leaving the page. */
export const useOffer = () => {
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
