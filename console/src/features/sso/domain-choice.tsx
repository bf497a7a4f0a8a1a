import { Checkbox, Stack, Text } from '@mantine/core'
import type { Connection, Domain } from '@tenantry/client'
import type { ReactNode } from 'react'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import { useConnections } from './sso.queries.ts'

/** Verified domains that no connection has. The form preselects them. */
export const freeOf = (domains: Domain[], connections: Connection[]): string[] => {
  const led = new Set(connections.flatMap((one) => one.domains))
  return domains.flatMap(({ domain, status }) => (status === 'verified' && !led.has(domain) ? [domain] : []))
}

interface DomainChoiceProps {
  /** The properties of a form's field. */
  input: { value?: unknown; onChange?: unknown; error?: unknown }
  domains: Domain[]
  connection: Connection
  children?: ReactNode
}

export const DomainChoice = ({ input, domains, connection, children }: DomainChoiceProps) => {
  const { t } = useTranslation()
  const { data: connections = [] } = useConnections()
  const otherOf = (domain: string) =>
    connections.find((one) => one.id !== connection.id && one.domains.includes(domain))?.name
  const describe = ({ domain, status }: Domain): string => {
    const other = otherOf(domain)
    return other === undefined
      ? t(`domains.${status}Choice`)
      : t('connections.domainElsewhere', { name: other })
  }
  const { value, onChange, error } = input as {
    value: string[]
    onChange: (value: string[]) => void
    error?: string
  }
  return (
    <SectionCard title={t('domains.title')} hint={t('connections.domainsHint')}>
      <Checkbox.Group aria-label={t('domains.title')} value={value} onChange={onChange} error={error}>
        <Stack gap="sm">
          {domains.map((domain) => (
            <Checkbox
              key={domain.id}
              value={domain.domain}
              label={domain.domain}
              description={describe(domain)}
              disabled={otherOf(domain.domain) !== undefined}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {domains.length === 0 && <Text size="sm">{t('connections.domainsNone')}</Text>}
      {children}
    </SectionCard>
  )
}
