import { Badge, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../translation.ts'
import { useTroubledWebhooks } from '../features/webhooks/webhooks.queries.ts'
import { useMe } from '../session/me.ts'
import { inbox, navGroups, type OwnPage } from './nav-pages.ts'

interface NavigationProps {
  onNavigate: () => void
}

/** The pages that the caller may open, in groups. */
export const Navigation = ({ onNavigate }: NavigationProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const groups = navGroups
    .map(({ title, pages }) => ({ title, pages: pages.filter(({ needs }) => can(needs)) }))
    .filter(({ pages }) => pages.length > 0)
  return (
    <div>
      {groups.map(({ title, pages }) => (
        <div key={title} role="group" aria-label={t(title)}>
          <div className="nav-group" aria-hidden>
            {t(title)}
          </div>
          <PageLinks pages={pages} onNavigate={onNavigate} />
        </div>
      ))}
      <div className="nav-group" />
      <PageLinks pages={[inbox]} onNavigate={onNavigate} />
    </div>
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
