import { Title } from '@mantine/core'
import { ApiError, type ErrorReason } from '@tenantry/client'
import { useTranslation, type TextKey } from '../translation.ts'
import { BackLink, type ListPath } from './back-link.tsx'
import { lazyPart } from './lazy-part.tsx'
import { Loaded, type LoadedProps } from './loaded.tsx'

const MissingResource = lazyPart(async () => (await import('./missing-resource.tsx')).MissingResource)

interface Kind {
  list: TextKey
  one: TextKey
  /** The answer for a resource that does not exist. */
  gone: ErrorReason
}

const kinds = {
  '/applications': { list: 'places.applications', one: 'places.application', gone: 'applicationUnknown' },
  '/approvals': { list: 'places.approvals', one: 'places.approval', gone: 'approvalUnknown' },
  '/catalogue': { list: 'places.catalogue', one: 'places.template', gone: 'templateUnknown' },
  '/connections': { list: 'places.connections', one: 'places.connection', gone: 'connectionUnknown' },
  '/flags': { list: 'places.flags', one: 'places.flag', gone: 'flagUnknown' },
  '/providers': { list: 'places.providers', one: 'places.provider', gone: 'providerUnknown' },
  '/reviews': { list: 'places.reviews', one: 'places.review', gone: 'reviewUnknown' },
  '/roles': { list: 'places.roles', one: 'places.role', gone: 'roleUnknown' },
  '/service-accounts': {
    list: 'places.serviceAccounts',
    one: 'places.serviceAccount',
    gone: 'serviceAccountUnknown',
  },
  '/support': { list: 'places.support', one: 'places.supportSession', gone: 'supportUnknown' },
  '/tenants': { list: 'places.tenants', one: 'places.tenant', gone: 'tenantUnknown' },
  '/users': { list: 'places.users', one: 'places.user', gone: 'userUnknown' },
  '/webhooks': { list: 'places.webhooks', one: 'places.webhook', gone: 'webhookUnknown' },
} satisfies Record<ListPath, Kind>

interface ResourcePageProps<T> extends LoadedProps<T> {
  /** The list that has the resource. */
  of: ListPath
}

/** The page of one resource, with a link to its list. */
export const ResourcePage = <T,>({ of, ...loaded }: ResourcePageProps<T>) => {
  const { t } = useTranslation()
  const { list, one, gone } = kinds[of]
  const { data, error } = loaded.query
  const failure = data === undefined ? error : undefined
  return (
    <>
      <BackLink to={of}>{t(list)}</BackLink>
      {failure instanceof ApiError && failure.reason === gone ? (
        <MissingResource to={of} name={t(one)} />
      ) : (
        <>
          {failure !== undefined && failure !== null && (
            <Title order={1} size="h2" mb="lg">
              {t(one)}
            </Title>
          )}
          <Loaded {...loaded} />
        </>
      )}
    </>
  )
}
