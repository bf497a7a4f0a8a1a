import { Stack, Text, Title } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { useTranslation } from '../translation.ts'
import { blocksOf, type Block } from './markdown-blocks.ts'
import { useWhatsNew } from './whats-new.tsx'

import changelog from '../../../CHANGELOG.md?raw'

const news = blocksOf(changelog)

const NewsBlock = ({ kind, text }: Block) => {
  if (kind === 'version') {
    return (
      <Title order={3} size="h4">
        {text}
      </Title>
    )
  }
  if (kind === 'part') {
    return (
      <Title order={4} size="h5">
        {text}
      </Title>
    )
  }
  return (
    <Text size="sm" className={kind === 'item' ? 'news-item' : 'breakable'}>
      {text}
    </Text>
  )
}

/** The changelog of the installed version. Opening it removes the mark from the menu. */
export const WhatsNewDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { see } = useWhatsNew()
  const seeOnce = useEffectEvent(see)
  useEffect(() => seeOnce(), [])
  return (
    <Dialog opened onClose={onClose} title={t('shell.whatsNew')} size="lg">
      <Stack gap="xs" lang="en">
        {news.map((block, at) => (
          <NewsBlock key={at} {...block} />
        ))}
      </Stack>
    </Dialog>
  )
}
