import { Anchor, Text } from '@mantine/core'
import type { Connection, Exemption } from '@tenantry/client'
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Checklist } from '../../components/step-item.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { client } from '../../session/client.ts'
import { accountPages } from '../../session/account-pages.ts'
import { useMe } from '../../session/me.ts'
import { isProved, useDomains } from './sso.queries.ts'

/** To require a connection, the caller must have signed in by it within the last hour (docs/contract.md). */
const freshMs = 3_600_000

/**
 * The connection that opened the caller's session within the last hour. "" if there is none, undefined while it loads.
 */
const useFreshConnection = (): string | undefined => {
  const { user } = useMe()
  const { data, isError } = useQuery({
    queryKey: ['sessions', 'own', user.id, 'connection'],
    queryFn: async ({ signal }) => {
      const { connectionId = '' } = (await client.auth.session()) ?? {}
      if (connectionId === '') return ''
      const current = (await client.auth.sessions({ signal })).find((one) => one.is_current)
      // Both times come from the service, because the clock of this machine can be wrong.
      const age = current ? Date.parse(current.last_used_at) - Date.parse(current.created_at) : freshMs
      return age < freshMs ? connectionId : ''
    },
    refetchInterval: 60_000,
  })
  return isError ? '' : data
}

export interface Condition {
  name: 'needsActive' | 'needsBreakGlass' | 'needsOwnSession'
  isMet: boolean
  /** Shown until the condition is met. */
  todo: ReactNode
}

/** The service's conditions for the requirement of a connection. Undefined while one of them is unknown. */
export const useConditions = (
  connections: Connection[],
  exemptions: Exemption[] | undefined,
): Condition[] | undefined => {
  const { isOwn } = useScope()
  const fresh = useFreshConnection()
  const active = connections.filter(({ status }) => status === 'active')
  if (!exemptions || fresh === undefined) return undefined
  return [
    {
      name: 'needsActive',
      isMet: active.length > 0,
      todo: <ToActive draft={connections[0]} />,
    },
    {
      name: 'needsBreakGlass',
      isMet: exemptions.some(({ has_factor: hasFactor }) => hasFactor),
      todo: <ToBreakGlass />,
    },
    {
      name: 'needsOwnSession',
      isMet: isOwn && active.some(({ id }) => id === fresh),
      todo: <ToOwnSession active={active} />,
    },
  ]
}

const ToActive = ({ draft }: { draft: Connection | undefined }) => {
  const { t } = useTranslation()
  const { data: domains = [] } = useDomains()
  if (!draft && !domains.some(isProved)) return t('connections.domainFirst')
  return draft ? (
    <TextLink
      to="/connections/$connectionId"
      params={{ connectionId: draft.id }}
      size="sm"
      underline="always"
    >
      {t('onlyConnection.toActivate', { name: draft.name })}
    </TextLink>
  ) : (
    <TextLink to="/connections/new" size="sm" underline="always">
      {t('onlyConnection.toCreate')}
    </TextLink>
  )
}

const ToBreakGlass = () => {
  const { t } = useTranslation()
  return (
    <>
      {t('onlyConnection.toBreakGlass')}{' '}
      <Anchor href={accountPages.signIn} size="sm" underline="always">
        {t('onlyConnection.toProfile')}
      </Anchor>
    </>
  )
}

/** The sign-in by the provider returns to this page. */
const ToOwnSession = ({ active }: { active: Connection[] }) => {
  const { t } = useTranslation()
  const { isOwn } = useScope()
  if (!isOwn) return t('onlyConnection.toOwnTenant')
  if (active.length === 0) return t('onlyConnection.toOwnLater')
  return (
    <>
      {t('onlyConnection.toOwnSession')}{' '}
      {active.map(({ id, name }) => (
        <TextLink
          key={id}
          to="/sign-in"
          search={{ connection: id, prompt: 'login', next: '/connections' }}
          size="sm"
          underline="always"
          mr="xs"
        >
          {t('onlyConnection.toSignIn', { name })}
        </TextLink>
      ))}
    </>
  )
}

export const Conditions = ({ conditions }: { conditions: Condition[] }) => {
  const { t } = useTranslation()
  return (
    <div>
      <Text size="sm" mb="xs">
        {t('onlyConnection.onlyNeeds')}
      </Text>
      <Checklist
        label={t('onlyConnection.onlyNeeds')}
        items={conditions.map(({ name, ...one }) => ({
          ...one,
          key: name,
          title: t(`onlyConnection.${name}`),
        }))}
        sign={(isMet) => t(isMet ? 'onlyConnection.isMet' : 'onlyConnection.isMissing')}
      />
    </div>
  )
}
