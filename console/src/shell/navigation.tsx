import { Badge, VisuallyHidden } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../translation.ts'
import { useTroubledWebhooks } from '../features/webhooks/webhooks.queries.ts'
import { useBrand, useWayBack } from '../session/portal.ts'
import { useInboxPage, useNavGroups, type OwnPage } from './nav-pages.ts'

interface NavigationProps {
  onNavigate: () => void
}

/** The pages that the caller may open, in groups. */
export const Navigation = ({ onNavigate }: NavigationProps) => {
  const { t } = useTranslation()
  const links = useRef<HTMLDivElement>(null)
  const router = useRouter()
  useEffect(() => {
    // On a low screen the link of the present page can lie below the fold.
    const show = () =>
      links.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
    show()
    return router.subscribe('onRendered', show)
  }, [router])
  return (
    <div ref={links}>
      <WayBack />
      {useNavGroups().map(({ title, pages }) => (
        <div key={title} role="group" aria-label={t(title)}>
          <div className="nav-group" aria-hidden>
            {t(title)}
          </div>
          <PageLinks pages={pages} onNavigate={onNavigate} />
        </div>
      ))}
      <div className="nav-group" />
      <PageLinks pages={useInboxPage()} onNavigate={onNavigate} />
      <HelpPage />
    </div>
  )
}

const WayBack = () => {
  const { t } = useTranslation()
  const back = useWayBack()
  if (!back) return null
  return (
    <a href={back.url} className="nav-link nav-back">
      <IconChevronLeft size={18} stroke={1.75} />
      <span className="cut">{t('shell.backTo', { name: back.name })}</span>
    </a>
  )
}

const HelpPage = () => {
  const { t } = useTranslation()
  const { help_url: help } = useBrand()
  if (help === '') return null
  return (
    <a href={help} className="nav-link" target="_blank" rel="noreferrer">
      <span className="nav-space" />
      {t('shell.help')}
    </a>
  )
}

const PageLinks = ({ pages, onNavigate }: NavigationProps & { pages: OwnPage[] }) => {
  const { t } = useTranslation()
  return pages.map(({ to, title, icon: Icon }) => (
    <Link
      key={to}
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className="nav-link"
      onClick={onNavigate}
    >
      <Icon size={18} stroke={1.75} />
      {t(title)}
      {to === '/webhooks' && <TroubledWebhooks />}
    </Link>
  ))
}

/** The number of failing webhooks, beside the link to the webhooks. */
const TroubledWebhooks = () => {
  const { t } = useTranslation()
  const count = useTroubledWebhooks().data?.length ?? 0
  if (count === 0) return null
  return (
    <Badge color="red" size="sm" circle ml="auto" title={t('shell.troubledWebhooks', { count })}>
      <VisuallyHidden>{t('shell.troubledWebhooks', { count })}</VisuallyHidden>
      <span aria-hidden>{count}</span>
    </Badge>
  )
}
