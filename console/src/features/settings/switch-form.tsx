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
  const { title, off, isOn } = props
  const canWrite = useCanConfigure('tenant')
  if (!canWrite && !isOn && off === undefined) return null
  return <SectionCard title={title}>{canWrite ? <Own {...props} /> : <Inherited {...props} />}</SectionCard>
}

const Inherited = ({ label, off, isOn }: SwitchFormProps) => <Text size="sm">{isOn ? label : off}</Text>

const Own = (props: SwitchFormProps) => {
  const { label, isOn, needsFactor = false } = props
  const isLocked = !useMe().hasFactor && needsFactor
  return isLocked ? <Readings of={[[label, isOn]]} /> : <SettingSwitch {...props} />
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
