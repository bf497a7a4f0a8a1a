import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import icon from '../icon.svg'
import { setLanguage } from '../i18n.ts'
import { languages, useTranslation, type Language } from '../translation.ts'
import { accentOf } from './accent.ts'
import type { Interaction } from '@tenantry/client'

interface FrameProps {
  title: string
  branding?: Interaction['branding'] | undefined
  /** True if the heading gets the focus. False on a page that was just loaded. */
  takesFocus: boolean
  children: ReactNode
}

/** True for a key that types or pastes text. */
const isTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  (key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey) ||
  (key === 'v' && (ctrlKey || metaKey))

/** Focuses the heading of a new step for screen readers. Text that the person types there goes into the first field. */
const useHeadingFocus = (takesFocus: boolean) => {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before the browser paints, so that no typed letter is lost.
  useLayoutEffect(() => {
    if (takesFocus) heading.current?.focus()
    const toField = (event: KeyboardEvent): void => {
      if (document.activeElement !== heading.current || !isTyping(event)) return
      document
        .querySelector<HTMLInputElement>('main input:not([readonly], [type=checkbox], [type=radio])')
        ?.focus()
    }
    addEventListener('keydown', toField)
    return () => removeEventListener('keydown', toField)
  }, [takesFocus])
  return heading
}

export const useAccent = (color: string): void => {
  useEffect(() => {
    const { style } = document.documentElement
    const accent = Object.entries(accentOf(color))
    for (const [name, value] of accent) style.setProperty(name, value)
    return () => {
      for (const [name] of accent) style.removeProperty(name)
    }
  }, [color])
}

export const Frame = ({ title, branding, takesFocus, children }: FrameProps) => {
  const heading = useHeadingFocus(takesFocus)
  useAccent(branding?.color ?? '')
  useEffect(() => {
    document.title = `${title} · ${location.host}`
  }, [title])
  return (
    <div className="page">
      <main>
        <Brand {...branding} />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div className="stack">{children}</div>
      </main>
      <Footer />
    </div>
  )
}

/** The logo and name of a tenant or an application, or else those of the product. */
export const Brand = ({ name = '', logo = '' }: { name?: string; logo?: string }) => (
  <div className="brand">
    <img src={logo || icon} alt="" />
    <span className="brand-name">
      <bdi>{name || 'Tenantry'}</bdi>
    </span>
  </div>
)

const Footer = () => (
  <footer>
    <Host />
    <LanguageSelect />
  </footer>
)

/** The host of the installation, because tenants can choose any logo and name. */
export const Host = () => {
  const { t } = useTranslation()
  return (
    <span title={t('hosted.hostText')}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <rect x="5" y="11" width="14" height="9" rx="2" />
        <path d="M8 11V7a4 4 0 0 1 8 0v4" />
      </svg>
      {location.host}
    </span>
  )
}

const LanguageSelect = () => {
  const { t, language } = useTranslation()
  return (
    <select
      aria-label={t('hosted.language')}
      value={language}
      onChange={({ target }) => void setLanguage(target.value as Language)}
    >
      {Object.entries(languages).map(([value, label]) => (
        <option key={value} value={value} lang={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
