import { Button } from '@mantine/core'
import type { SupportSession } from '@tenantry/client'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { useApplications } from '../applications/applications.queries.ts'

/** Links to the products that take support sessions, in a tab of their own. */
export const OpenProducts = ({ session }: { session: SupportSession }) => {
  const { t } = useTranslation()
  const { data } = useApplications({ size: 200, kind: 'web', status: 1 }, useMe().can('application:read'))
  const products = data?.items.filter(({ support_uri: address }) => address !== '') ?? []
  return products.map(({ id, name, support_uri: base }) => {
    const address = new URL(base)
    address.searchParams.set('support_session', session.id)
    return (
      <Button
        key={id}
        component="a"
        variant="default"
        href={address.href}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t('support.openProduct', { name })}
      </Button>
    )
  })
}
