import { Anchor } from '@mantine/core'
import { useTranslation } from '../translation.ts'

interface HelpLinkProps {
  /** A group of endpoints in the API reference. */
  to: 'audit' | 'roles' | 'service-accounts' | 'settings' | 'tenants' | 'users' | 'webhooks'
}

/** Shown in an empty list. Links to the endpoints that programs use to fill it. */
export const HelpLink = ({ to }: HelpLinkProps) => {
  const { t } = useTranslation()
  return (
    <Anchor href={`/docs/${to}`} target="_blank" size="sm" underline="always">
      {t('table.help')}
    </Anchor>
  )
}
