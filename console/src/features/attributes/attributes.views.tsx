/** The attributes on the pages of a user and of a tenant. */
import { Skeleton, Text } from '@mantine/core'
import type { ComponentProps } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { useReadable } from './attributes.queries.ts'

/** Within an element, so that `.in-order` finds it. */
const waiting = (
  <div>
    <Skeleton height={240} />
  </div>
)

const loadParts = () => import('./attribute-parts.tsx')
const OfUser = lazyPart(async () => (await loadParts()).UserAttributes, waiting)
const OfTenant = lazyPart(async () => (await loadParts()).TenantAttributes, waiting)

export const UserAttributes = (props: ComponentProps<typeof OfUser>) => {
  const { t } = useTranslation()
  const attributes = useReadable('user')
  if (!attributes) return waiting
  return attributes.length > 0 ? <OfUser {...props} /> : <Text c="dimmed">{t('attributes.none')}</Text>
}

/** The attributes of a tenant, if there are any that the caller may read. */
export const TenantAttributes = ({ id }: { id: string }) => {
  const { can, tenant: own } = useMe()
  const door = id === own.id ? 'setting' : 'tenant'
  const attributes = useReadable('tenant')
  if (!attributes) return waiting
  return attributes.length > 0 && can(`${door}:read`) && <OfTenant id={id} door={door} />
}
