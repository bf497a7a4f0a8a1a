import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

export const CopyText = ({ text, label }: { text: string; label: string }) => {
  const { t } = useTranslation()
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Code className="cut">{text}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('common.copied') : label}>
            <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={copy}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
}
