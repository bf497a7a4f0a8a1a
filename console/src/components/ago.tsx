import { Text, type TextProps } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslation } from '../translation.ts'
import { useFormat } from '../format.ts'

const tickMs = 30_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times on the page. */
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

/** How long ago a timestamp of the API is, kept current; '' for ''. */
export const useAgo = (at: string): string => {
  const format = useFormat()
  return useSyncExternalStore(subscribe, () => (at === '' ? '' : format.ago(at)))
}

/** Shows how long ago a timestamp of the API is, and keeps that current; its title shows the moment itself. */
export const Ago = ({ at, ...props }: TextProps & { at: string }) => {
  const format = useFormat()
  return (
    <Text size="sm" title={format.moment(at)} className="unbroken" {...props}>
      {useAgo(at)}
    </Text>
  )
}

/** The moment itself, and how long ago it is. */
export const MomentAndAgo = ({ at }: { at: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const ago = useAgo(at)
  return at === '' ? t('common.never') : `${format.moment(at)} (${ago})`
}

/** The same for a time that is '' until something has happened. */
export const AgoOrNever = ({ at }: { at: string }) => {
  const { t } = useTranslation()
  if (at !== '') return <Ago at={at} />
  return (
    <Text size="sm" c="dimmed">
      {t('common.never')}
    </Text>
  )
}
