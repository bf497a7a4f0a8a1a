import { Button, Group } from '@mantine/core'
import { IconBook } from '@tabler/icons-react'
import type { Connection } from '@tenantry/client'
import { useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useTranslation } from '../../translation.ts'
import type { Provider } from './presets.ts'

export type Guided = Exclude<Provider, 'other'>

const GuideDialog = lazyPart(async () => (await import('./guide-dialog.tsx')).GuideDialog)

interface GuideButtonProps {
  provider: Provider
  connection: Connection | undefined
}

/** Opens the guide of the provider, where there is one. */
export const GuideButton = ({ provider, connection }: GuideButtonProps) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (provider === 'other') return null
  return (
    <Group>
      <Button size="xs" variant="light" leftSection={<IconBook size={14} />} onClick={() => setOpen(true)}>
        {t('connections.guideOf', { provider: t(`ssoProviders.${provider}`) })}
      </Button>
      {isOpen && <GuideDialog provider={provider} connection={connection} onClose={() => setOpen(false)} />}
    </Group>
  )
}
