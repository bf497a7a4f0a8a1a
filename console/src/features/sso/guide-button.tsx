import { Group } from '@mantine/core'
import { IconBook } from '@tabler/icons-react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useTranslation } from '../../translation.ts'
import type { Protocol, Provider } from './presets.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import type { Addressed } from './connection-parts.tsx'

export type Guided = Exclude<Provider, 'other'>

const GuideDialog = lazyPart(async () => (await import('./guide-dialog.tsx')).GuideDialog)

export type GuidePart = Protocol | 'scim'

interface GuideButtonProps {
  provider: Provider
  /** Absent if the reader chooses the part. */
  part?: GuidePart
  /** The guide shows the addresses of this connection above its text. */
  connection?: Addressed
  /** Replaces the usual label, if the text around it already names the guide. */
  label?: string
}

/** Opens the guide of the provider, if there is one. */
export const GuideButton = ({ provider, label, ...guide }: GuideButtonProps) => {
  const { t } = useTranslation()
  if (provider === 'other') return null
  return (
    <Group>
      <DialogButton
        size="xs"
        variant="light"
        leftSection={<IconBook size={14} />}
        label={label ?? t('connections.guideOf', { provider: t(`ssoProviders.${provider}`) })}
      >
        {(onClose) => <GuideDialog provider={provider} {...guide} onClose={onClose} />}
      </DialogButton>
    </Group>
  )
}
