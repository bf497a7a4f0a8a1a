import { Stack, Switch, Text } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { ReadByService } from './read-by-service.tsx'
import { useCanWrite, usePutSetting } from './settings.queries.ts'

interface Props {
  /** The key of the setting. */
  name: string
  title: string
  label: string
  description: string
  isOn: boolean
  valueOf: (isOn: boolean) => unknown
}

/** A setting of the tenant that is on or off. The service decides who may change it, and when. */
export const SwitchForm = ({ name, title, label, description, isOn, valueOf }: Props) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const put = usePutSetting('tenant', ({ key }) => notify(t('settings.saved', { key })))
  const canWrite = useCanWrite('tenant')
  if (!canWrite && !isOn) return null
  return (
    <SectionCard title={title} hint={<ReadByService name={name} />}>
      <Stack gap="sm">
        {canWrite ? (
          <Switch
            label={label}
            description={description}
            checked={isOn}
            disabled={put.isPending}
            onChange={(event) => put.mutate({ key: name, value: valueOf(event.currentTarget.checked) })}
          />
        ) : (
          <Text size="sm">{label}</Text>
        )}
        {put.error && <ErrorPanel error={put.error} />}
      </Stack>
    </SectionCard>
  )
}
