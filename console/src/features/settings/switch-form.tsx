import { Stack, Switch, Text } from '@mantine/core'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useSaveSetting } from './setting-form.tsx'
import { useCanConfigure } from './settings.queries.ts'

interface SwitchFormProps {
  /** The key of the setting. */
  name: string
  title: string
  label: string
  description: string
  /** Shown to readers while the setting is off. Without this text, they see no card. */
  off?: string
  isOn: boolean
}

/** A setting of the tenant that is on or off. */
export const SwitchForm = ({ name, title, label, description, off, isOn }: SwitchFormProps) => {
  const put = useSaveSetting('tenant')
  const canWrite = useCanConfigure('tenant')
  if (!canWrite && !isOn && off === undefined) return null
  return (
    <SectionCard title={title}>
      <Stack gap="sm">
        {canWrite ? (
          <Switch
            label={label}
            description={description}
            checked={isOn}
            disabled={put.isPending}
            onChange={({ currentTarget }) => put.mutate({ key: name, value: currentTarget.checked })}
          />
        ) : (
          <Text size="sm">{isOn ? label : off}</Text>
        )}
        {put.error && <ErrorPanel error={put.error} />}
      </Stack>
    </SectionCard>
  )
}
