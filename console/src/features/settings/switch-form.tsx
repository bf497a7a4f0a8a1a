import { Stack, Switch, Text } from '@mantine/core'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
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
  needsFactor?: boolean
}

/** A setting of the tenant that is on or off. */
export const SwitchForm = (props: SwitchFormProps) => {
  const { title, label, off, isOn } = props
  const canWrite = useCanConfigure('tenant')
  if (!canWrite && !isOn && off === undefined) return null
  return (
    <SectionCard title={title}>
      {canWrite ? <SettingSwitch {...props} /> : <Text size="sm">{isOn ? label : off}</Text>}
    </SectionCard>
  )
}

const SettingSwitch = ({ name, label, description, isOn, needsFactor = false }: SwitchFormProps) => {
  const put = useSaveSetting('tenant')
  const refusal = useFactorRefusal({ isNeeded: needsFactor, isLine: true })
  return (
    <Stack gap="sm">
      {refusal}
      <Switch
        label={label}
        description={description}
        checked={isOn}
        disabled={put.isPending || refusal !== undefined}
        onChange={({ currentTarget }) => put.mutate({ key: name, value: currentTarget.checked })}
      />
      {put.error && <ErrorPanel error={put.error} />}
    </Stack>
  )
}
