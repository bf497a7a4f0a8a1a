import { useEffect, useEffectEvent, useLayoutEffect, useRef, type ReactNode } from 'react'
import icon from '../icon.svg'
import { setLanguage } from '../i18n.ts'
import { languages, useTranslation, type Language } from '../translation.ts'
import { accentOf } from './accent.ts'
import { showIcon } from './icon.ts'
import type { Interaction, Look } from '@tenantry/client'
import { isDark } from './scheme.ts'
import { send } from './send.ts'
import { useRead } from './use-form.ts'

interface FrameProps {
  title: string
  branding?: Interaction['branding'] | undefined
  /** True if the heading gets the focus. False on a page that was just loaded. */
  takesFocus: boolean
  /** A field that has taken the focus keeps it, and the heading is read out. */
  leavesField?: boolean
  children: ReactNode
}

/** True for a key that types or pastes text. */
const isTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  (key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey) ||
  (key === 'v' && (ctrlKey || metaKey))

/** Reads a text out. The element outlives the step, since a live region that is new is not read. */
const announce = (text: string): void => {
  let region = document.getElementById('announced')
  if (!region) {
    region = document.createElement('p')
    region.id = 'announced'
    region.className = 'unseen'
    region.role = 'status'
    document.body.append(region)
  }
  region.textContent = text
}

/** Focuses the heading of a new step for screen readers. Text that the person types there goes into the first field. */
const useHeadingFocus = ({ title, takesFocus, leavesField = false }: FrameProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const focusStep = useEffectEvent(() => {
    const isInField = leavesField && document.activeElement instanceof HTMLInputElement
    announce(isInField ? title : '')
    if (!isInField) heading.current?.focus()
  })
  // Before the browser paints, so that no typed letter is lost.
  useLayoutEffect(() => {
    if (takesFocus) focusStep()
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

/** Without any branding. */
export const ownLook: Interaction['branding'] = { name: '', logo: '', logo_dark: '', icon: '', color: '' }

const readLook = (): Promise<Interaction['branding']> =>
  send<Look>('POST', '/oauth2/look', {}).then(
    ({ branding }) => branding,
    () => ownLook,
  )

/** Without a branding of its own, the page has that of the installation. */
export const Frame = (props: FrameProps) =>
  props.branding ? <BrandedFrame {...props} /> : <InstallationFrame {...props} />

const InstallationFrame = (props: FrameProps) => <BrandedFrame {...props} branding={useRead(readLook).data} />

/** Shows no brand as long as it is unknown. */
export const BrandedFrame = (props: FrameProps) => {
  const { title, branding, children } = props
  const heading = useHeadingFocus(props)
  useAccent(branding?.color ?? '')
  useEffect(() => showIcon(branding?.icon ?? ''), [branding?.icon])
  useEffect(() => {
    document.title = `${title} · ${location.host}`
  }, [title])
  return (
    <div className="page">
      <main>
        {branding ? <Brand {...branding} /> : <div className="brand" />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div className="stack">{children}</div>
      </main>
      <Footer />
    </div>
  )
}

interface BrandProps {
  name?: string
  logo?: string
  logo_dark?: string
}

/** A named product without a logo has none, not that of Tenantry. */
const logoOf = ({ name = '', logo = '', logo_dark: dark = '' }: BrandProps): string =>
  (isDark() && dark) || logo || (name === '' ? icon : '')

const Logo = ({ image }: { image: string }) => image !== '' && <img src={image} alt="" />

/** The logo and name of a tenant, an application or the product, or else those of Tenantry. */
export const Brand = ({ name = '', ...look }: BrandProps) => (
  <div className="brand">
    <Logo image={logoOf({ name, ...look })} />
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
