import { useEffect } from 'react'
import { useTranslation, type TextKey } from '../translation.ts'
import { Frame } from './frame.tsx'
import { Notice } from './kit.tsx'

interface End {
  title: TextKey
  text: TextKey
  kind?: 'good' | 'warning'
  /** The way into the console, and its name. */
  way?: TextKey
}

/** The ends of a session of the console, by the fragment of the address. */
const ends: Record<string, End> = {
  left: { title: 'hosted.loggedOut', text: 'hosted.left', kind: 'good', way: 'signIn.title' },
  deleted: { title: 'hosted.loggedOut', text: 'signIn.deleted', kind: 'good', way: 'signIn.title' },
  ended: { title: 'hosted.ended', text: 'signIn.ended', kind: 'warning', way: 'signIn.title' },
  failed: { title: 'signIn.failed', text: 'signIn.failedText', kind: 'warning', way: 'signIn.begin' },
  window: { title: 'hosted.done', text: 'hosted.testClose' },
}

/** The key of the session of the console, which all tabs share. */
const sessionKey = 'tenantry.session'

/** Goes on when another tab has signed in. */
const useSignInElsewhere = (address: string | undefined): void => {
  useEffect(() => {
    const look = (): void => {
      if (address !== undefined && localStorage.getItem(sessionKey) !== null) location.replace(address)
    }
    look()
    addEventListener('storage', look)
    return () => removeEventListener('storage', look)
  }, [address])
}

/** The name of the end in a fragment, and the path of the console to go on at. */
export const endOf = (hash: string): { name: string; path: string } | undefined => {
  const [, name = '', encoded = ''] = /^#(\w+)(?:=(.*))?$/.exec(hash) ?? []
  if (!Object.hasOwn(ends, name)) return undefined
  const path = decodeURIComponent(encoded)
  // A path only: an address with a host could lead the person to another site.
  return { name, path: /^\/(?![/\\])/.test(path) ? path : '/' }
}

export const Ended = ({ name, path }: NonNullable<ReturnType<typeof endOf>>) => {
  const { t } = useTranslation()
  const { title, text, kind, way } = ends[name] as End
  const address = `/console${path}`
  useSignInElsewhere(name === 'ended' ? address : undefined)
  return (
    <Frame title={t(title)} takesFocus={false}>
      {kind ? <Notice kind={kind}>{t(text)}</Notice> : <p className="dimmed">{t(text)}</p>}
      {way && (
        <a href={address} className="button primary">
          {t(way)}
        </a>
      )}
    </Frame>
  )
}
