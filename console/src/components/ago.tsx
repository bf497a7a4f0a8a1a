import { Text, type TextProps } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslation } from '../translation.ts'
import { useFormat } from '../format.ts'

const tickMs = 30_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** All times on the page share one timer. */
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const tell of listeners) tell()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Relative time, such as "3 hours ago", which stays up to date. "" for "". */
export const useAgo = (at: string): string => {
  const format = useFormat()
  return useSyncExternalStore(subscribe, () => (at === '' ? '' : format.ago(at)))
}

/** Shows a relative time, which stays up to date. The title shows the exact moment. */
export const Ago = ({ at, ...props }: TextProps & { at: string }) => {
  const format = useFormat()
  return (
    <Text size="sm" title={format.moment(at)} className="unbroken" {...props}>
      {useAgo(at)}
    </Text>
  )
}

export const MomentAndAgo = ({ at }: { at: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const ago = useAgo(at)
  return at === '' ? t('common.never') : t('common.momentAndAgo', { moment: format.moment(at), ago })
}

interface AgoOrNeverProps {
  at: string
  /** The text for "", if no event is awaited. */
  never?: string
}

/** For a timestamp that is "" until the first event. */
export const AgoOrNever = ({ at, never }: AgoOrNeverProps) => {
  const { t } = useTranslation()
  if (at !== '') return <Ago at={at} />
  return (
    <Text size="sm" c="dimmed">
      {never ?? t('common.never')}
    </Text>
  )
}
