import { Stack, Switch, Text } from '@mantine/core'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useMe } from '../../session/me.ts'
import { Readings } from './readings.tsx'
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
  const { title, label, off, isOn, needsFactor = false } = props
  const canWrite = useCanConfigure('tenant')
  const isLocked = !useMe().hasFactor && needsFactor
  if (!canWrite && !isOn && off === undefined) return null
  return (
    <SectionCard title={title}>
      {canWrite && isLocked && <Readings of={[[label, isOn]]} />}
      {canWrite && !isLocked && <SettingSwitch {...props} />}
      {!canWrite && <Text size="sm">{isOn ? label : off}</Text>}
    </SectionCard>
  )
}

const SettingSwitch = ({ name, label, description, isOn }: SwitchFormProps) => {
  const put = useSaveSetting('tenant')
  return (
    <Stack gap="sm">
      <Switch
        label={label}
        description={description}
        checked={isOn}
        disabled={put.isPending}
        onChange={({ currentTarget }) => put.mutate({ key: name, value: currentTarget.checked })}
      />
      {put.error && <ErrorPanel error={put.error} />}
    </Stack>
  )
}
