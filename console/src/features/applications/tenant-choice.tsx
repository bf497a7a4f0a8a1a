import { Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { ManyChoice } from '../../components/many-choice.tsx'

interface TenantChoiceProps {
  /** Null: the users of every tenant. */
  value: string[] | null
  onChange: (ids: string[] | null) => void
}

export const TenantChoice = ({ value, onChange }: TenantChoiceProps) => {
  const { t } = useTranslation()
  const { data: tenants = [] } = useQuery({
    queryKey: ['tenants', 'all'],
    queryFn: ({ signal }) => client.tenants.list({ signal }),
    enabled: value !== null,
  })
  return (
    <Stack gap="xs">
      <Switch
        label={t('applications.everyTenant')}
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : [])}
      />
      {value !== null && (
        <ManyChoice
          label={t('applications.tenants')}
          data={tenants.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          limit={100}
          value={value}
          onChange={onChange}
        />
      )}
    </Stack>
  )
}
